extension AutoMobileSDK {
  /// Leaves a breadcrumb. It is no event; navigation, taps, lifecycle, what the system announces, requests and
  /// logs leave one by themselves.
  public func addBreadcrumb(_ breadcrumb: Breadcrumb) { withRecorder { $0.record(breadcrumb) } }

  /// Leaves a breadcrumb, with the time of now.
  public func addBreadcrumb(
    _ message: String, category: BreadcrumbCategory = .custom, metadata: [String: String] = [:]
  ) {
    addBreadcrumb(Breadcrumb(category: category, message: message, metadata: metadata))
  }

  /// This launch's last ``AutoMobileConfiguration/maxBreadcrumbs`` breadcrumbs, oldest first. Reads the journal: not
  /// for the main thread.
  public func breadcrumbs() -> [Breadcrumb] { runtime?.breadcrumbs.read() ?? [] }

  /// The launch before this one's, oldest first, however that launch ended. Reads the disk: not for the main thread.
  public func previousLaunchBreadcrumbs() -> [Breadcrumb] { runtime?.breadcrumbs.ofPreviousLaunch() ?? [] }
}
