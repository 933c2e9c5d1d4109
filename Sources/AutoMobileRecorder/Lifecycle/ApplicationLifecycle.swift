/// Where an app can be, as `UIApplication.State` has it.
package enum ApplicationState: Sendable, CaseIterable {
  case active
  case inactive
  case background
}

/// What the system says about the app as a whole; scenes are not told apart.
package enum ApplicationSignal: Sendable, CaseIterable {
  case becameActive
  case enteredBackground
  case willTerminate
}

/// The system's side: an adapter for each platform, a stand-in in tests.
package protocol ApplicationLifecycle: AnyObject, Sendable {
  /// Calls `onSignal` from now on, on the main thread; and `onLaunch` once, there too, as soon as what the app has stored can
  /// be read: before the first unlock after a restart it cannot, and would look like a fresh installation.
  func start(
    onLaunch: @escaping @Sendable (ApplicationState) -> Void, onSignal: @escaping @Sendable (ApplicationSignal) -> Void)
  func stop()
}
