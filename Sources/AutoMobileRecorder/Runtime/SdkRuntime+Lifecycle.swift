import Foundation

/// How the runtime follows the app's life.
extension SdkRuntime {
  /// Settles who uses the app, and has its life told.
  func startIdentity() {
    guard let lifecycle else {
      // Nobody tells when what is stored can be read: an extension runs after the first unlock.
      _ = identity?.settle(into: context)
      return
    }
    lifecycle.start()
  }

  /// Who does; nil where nobody tells, or nothing can be kept over launches.
  static func lifecycle(
    _ environment: SdkEnvironment, _ identity: Identity?, _ context: SdkContext, _ recorder: EventRecorder,
    isEnabled: Bool
  ) -> LifecycleTracker? {
    guard let identity else { return nil }
    guard let lifecycle = environment.makeLifecycle?() else { return nil }
    let app = AppVersion(
      version: environment.appVersion ?? AppVersion.unknown, build: environment.appBuild ?? AppVersion.unknown)
    return LifecycleTracker(
      app: app, store: identity.store, identity: identity, context: context, lifecycle: lifecycle, recorder: recorder,
      isEnabled: isEnabled)
  }
}
