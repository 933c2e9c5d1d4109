import UIKit

/// Documentation: *UIViewRepresentable*. iOS 13.0.
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  /// Documentation: *UIViewType*. iOS 13.0.
  associatedtype UIViewType: UIView
  /// Documentation: *makeUIView(context:)*. iOS 13.0.
  @MainActor @preconcurrency func makeUIView(context: Self.Context) -> Self.UIViewType
  /// Documentation: *updateUIView(_:context:)*. iOS 13.0.
  @MainActor @preconcurrency func updateUIView(_ uiView: Self.UIViewType, context: Self.Context)
  /// Documentation: *UIViewRepresentable.Context*. iOS 13.0.
  typealias Context = UIViewRepresentableContext<Self>
}

/// Documentation: *UIViewRepresentableContext*. iOS 13.0.
@MainActor @preconcurrency
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {}

extension UIViewRepresentable {
  /// The view is made once for its place in the tree.
  func update(_ node: ViewNode) {
    let context = Context()
    let view = node.remembered(makeUIView(context: context))
    updateUIView(view, context: context)
    node.element = Element(.view(view))
  }
}
