#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Whether one screen is making room for another. UIKit asks a controller's ancestors for a coordinator, and never those that are
/// in it: so the innermost are asked, in what is presented as well.
@MainActor enum ScreenTransitions {
  private static let maximumControllers = 256

  static func isUnderWay(in windows: [UIWindow]) -> Bool {
    var rest = windows.compactMap(\.rootViewController)
    var count = 0
    while let controller = rest.popLast() {
      count += 1
      // Of more than that nobody knows.
      guard count <= maximumControllers else { return true }
      let children = controller.children
      if children.isEmpty || controller.presentedViewController != nil, controller.transitionCoordinator != nil {
        return true
      }
      rest.append(contentsOf: children)
      // Each controller in the presenting one says that it presents it.
      if let presented = controller.presentedViewController, presented.presentingViewController === controller {
        rest.append(presented)
      }
    }
    return false
  }
}
#endif
