import Foundation

extension UIViewController {
  private final class SimulatedTransition: NSObject, UIViewControllerTransitionCoordinator {}

  /// One screen is making room for another, with an animation.
  public func simulateTransition(_ isUnderWay: Bool) {
    ownTransition = isUnderWay ? SimulatedTransition() : nil
  }
}
