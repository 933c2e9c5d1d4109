#if canImport(UIKit) && !os(watchOS)
import UIKit

/// Whether one screen is making room for another. UIKit asks a controller's ancestors for a coordinator, and never those that are
/// in it: so the innermost are asked, in what is presented as well.
@MainActor enum ScreenTransitions {
  /// Of more, only those that hold others are asked: these run the transitions, and there are few of them.
  private static let maximumAsked = 256
  private static let maximumControllers = 4096

  static func isUnderWay(in windows: [UIWindow]) -> Bool {
    var rest = windows.compactMap(\.rootViewController)
    var count = 0
    while let controller = rest.popLast() {
      count += 1
      // A page of so many has pictures all the same; whatever moves in it is covered where it is shown.
      guard count <= maximumControllers else { return false }
      let children = controller.children
      let isAsked = count <= maximumAsked ? children.isEmpty : !children.isEmpty
      if isAsked || controller.presentedViewController != nil, controller.transitionCoordinator != nil { return true }
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
