/// Wants to hear of every screen that is shown.
public protocol NavigationListener: AnyObject, Sendable {
  /// Called on the thread that reports the navigation, while no lock is held. It should return soon.
  func onNavigationEvent(_ event: NavigationEvent)
}

/// A listener that calls a closure.
public final class BlockNavigationListener: NavigationListener {
  private let block: @Sendable (NavigationEvent) -> Void

  public init(_ block: @escaping @Sendable (NavigationEvent) -> Void) { self.block = block }

  public func onNavigationEvent(_ event: NavigationEvent) { block(event) }
}
