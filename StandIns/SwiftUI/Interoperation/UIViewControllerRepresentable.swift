import UIKit

/// Documentation: *UIViewControllerRepresentable*. iOS 13.0.
@MainActor @preconcurrency public protocol UIViewControllerRepresentable: View where Body == Never {
  /// Documentation: *UIViewControllerType*. iOS 13.0.
  associatedtype UIViewControllerType: UIViewController
  /// Documentation: *makeUIViewController(context:)*. iOS 13.0.
  @MainActor @preconcurrency func makeUIViewController(context: Self.Context) -> Self.UIViewControllerType
  /// Documentation: *updateUIViewController(_:context:)*. iOS 13.0.
  @MainActor @preconcurrency func updateUIViewController(
    _ uiViewController: Self.UIViewControllerType, context: Self.Context)
  /// Documentation: *UIViewControllerRepresentable.Context*. iOS 13.0.
  typealias Context = UIViewControllerRepresentableContext<Self>
}

/// Documentation: *UIViewControllerRepresentableContext*. iOS 13.0.
@MainActor @preconcurrency
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {}

extension UIViewControllerRepresentable {
  /// The controller is made once for its place in the tree, and comes and goes with it.
  func update(_ node: ViewNode) {
    let context = Context()
    let controller = node.remembered(makeUIViewController(context: context))
    updateUIViewController(controller, context: context)
    node.element = Element(.controller(controller))
    node.onAppear = {
      controller.viewWillAppear(false)
      controller.viewDidAppear(false)
    }
    node.onDisappear = {
      controller.viewWillDisappear(false)
      controller.viewDidDisappear(false)
    }
  }
}
