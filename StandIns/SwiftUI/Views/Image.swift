import UIKit

/// Documentation: *Image*. iOS 13.0.
nonisolated public struct Image: View, PrimitiveView, Equatable, Sendable {
  public typealias Body = Never
  private let name: String

  /// Documentation: *init(systemName:)*. iOS 13.0.
  public init(systemName: String) { name = systemName }

  /// Documentation: *init(uiImage:)*. iOS 13.0.
  public init(uiImage: UIImage) { name = "picture" }

  /// Documentation: *resizable(capInsets:resizingMode:)*. iOS 13.0.
  public func resizable() -> Image { self }

  @MainActor func update(_ node: ViewNode) { node.element = Element(.image(name)) }
}

/// Documentation: *Label*. iOS 14.0.
nonisolated public struct Label<Title: View, Icon: View>: View, PrimitiveView {
  public typealias Body = Never
  private let title: Title
  private let icon: Icon

  @MainActor func update(_ node: ViewNode) {
    node.setChildren([ViewNode.Child("icon", icon), ViewNode.Child("title", title)])
  }
}

extension Label where Title == Text, Icon == Image {
  /// Documentation: *init(_:systemImage:)*. iOS 14.0.
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {
    title = Text(titleKey)
    icon = Image(systemName: name)
  }

  /// Documentation: *init(_:systemImage:)*. iOS 14.0.
  @_disfavoredOverload nonisolated public init<S: StringProtocol>(_ title: S, systemImage name: String) {
    self.title = Text(title)
    icon = Image(systemName: name)
  }
}
