extension AutoMobileSDK {
  /// Leaves a breadcrumb. It is no event; navigation, taps, lifecycle, what the system announces, requests and
  /// logs leave one by themselves.
  public func addBreadcrumb(_ breadcrumb: Breadcrumb) {
    withRecorder {
      $0.record(breadcrumb)
    } before: {
      keepEarly(breadcrumb)
    }
  }

  /// Leaves a breadcrumb, with the time of now.
  public func addBreadcrumb(
    _ message: String, category: BreadcrumbCategory = .custom, metadata: [String: String] = [:]
  ) {
    addBreadcrumb(Breadcrumb(category: category, message: message, metadata: metadata))
  }

  /// Has every breadcrumb go through a closure, which may change it, or leave it out by returning nil: those that the app
  /// adds, and those that events leave by themselves, requests and taps among them. Reports of crashes have what is left.
  ///
  ///     AutoMobileSDK.shared.addBreadcrumbProcessor { breadcrumb in
  ///       breadcrumb.category == .log ? nil : breadcrumb
  ///     }
  ///
  /// Called on the thread that records, in the order of adding, before anything is written; a closure that throws an
  /// Objective-C exception leaves the breadcrumb out. An event itself stays as it is: what nobody may see of it either is for
  /// ``addEventProcessor(_:)``, which comes first, so that the breadcrumb is one of what that left. Added before
  /// initialization, it sees the very first breadcrumb.
  public func addBreadcrumbProcessor(_ processor: @escaping @Sendable (Breadcrumb) -> Breadcrumb?) {
    processors.add(processor)
    withRecorder { $0.noteProcessors() }
  }

  /// This launch's last ``AutoMobileConfiguration/maxBreadcrumbs`` breadcrumbs, oldest first. Reads the journal: not
  /// for the main thread.
  public func breadcrumbs() -> [Breadcrumb] { runtime?.breadcrumbs.read() ?? [] }

  /// The launch before this one's, oldest first, however that launch ended. Reads the disk: not for the main thread.
  public func previousLaunchBreadcrumbs() -> [Breadcrumb] { runtime?.breadcrumbs.ofPreviousLaunch() ?? [] }
}
