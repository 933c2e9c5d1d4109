/// Keeps the last breadcrumbs.
public protocol BreadcrumbTracking: AnyObject, Sendable {
  func add(_ breadcrumb: Breadcrumb)
  /// Oldest first.
  func snapshot() -> [Breadcrumb]
  func clear()
}
