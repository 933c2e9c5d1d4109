import UIKit

/// Documentation: *Spacer*. iOS 13.0.
nonisolated public struct Spacer: View, PrimitiveView {
  public typealias Body = Never

  /// Documentation: *init(minLength:)*. iOS 13.0.
  public init(minLength: CGFloat? = nil) {}

  @MainActor func update(_ node: ViewNode) { node.arrangement = .spacer }
}

/// Documentation: *Color*. iOS 13.0.
nonisolated public struct Color: View, PrimitiveView, Hashable, Sendable, ShapeStyle {
  public typealias Body = Never
  private let name: String

  /// Documentation: *green*. iOS 13.0.
  public static let green = Color(name: "green")
  /// Documentation: *blue*. iOS 13.0.
  public static let blue = Color(name: "blue")
  /// Documentation: *orange*. iOS 13.0.
  public static let orange = Color(name: "orange")
  /// Documentation: *red*. iOS 13.0.
  public static let red = Color(name: "red")
  /// Documentation: *purple*. iOS 13.0.
  public static let purple = Color(name: "purple")
  /// Documentation: *clear*. iOS 13.0.
  public static let clear = Color(name: "clear")
  /// Documentation: *secondary*. iOS 13.0.
  public static let secondary = Color(name: "secondary")
  /// Documentation: *accentColor*. iOS 13.0.
  public static var accentColor: Color { Color(name: "accentColor") }

  var uiColor: UIColor {
    switch name {
    case "green": UIColor(red: 0.2, green: 0.78, blue: 0.35, alpha: 1)
    case "orange": UIColor(red: 1, green: 0.58, blue: 0, alpha: 1)
    case "red": Palette.destructive
    case "purple": UIColor(red: 0.69, green: 0.32, blue: 0.87, alpha: 1)
    case "secondary": Palette.secondary
    case "clear": UIColor(white: 0, alpha: 0)
    default: Palette.tint
    }
  }

  @MainActor func update(_ node: ViewNode) {}
}

/// Documentation: *ShapeStyle*. iOS 13.0.
public protocol ShapeStyle: Sendable {}

/// Documentation: *Shape*. iOS 13.0.
nonisolated public protocol Shape: Sendable, View {}

extension Shape {
  /// Documentation: *fill(_:style:)*. iOS 13.0.
  nonisolated public func fill<S: ShapeStyle>(_ content: S) -> some View { self }
}

/// Documentation: *Capsule*. iOS 13.0.
nonisolated public struct Capsule: Shape, PrimitiveView {
  public typealias Body = Never

  /// Documentation: *init(style:)*. iOS 13.0.
  public init() {}

  @MainActor func update(_ node: ViewNode) {}
}

/// Documentation: *ProgressView*. iOS 14.0.
nonisolated public struct ProgressView<Label: View, CurrentValueLabel: View>: View, PrimitiveView {
  public typealias Body = Never

  @MainActor func update(_ node: ViewNode) {}
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
  /// Documentation: *init()*. iOS 14.0.
  nonisolated public init() {}
}
