/// Reports the navigation of one framework, between ``start()`` and ``stop()``.
public protocol NavigationFrameworkAdapter: AnyObject, Sendable {
  /// Begins to report. A second call changes nothing.
  func start()
  /// Reports no more.
  func stop()
  var isActive: Bool { get }
}
