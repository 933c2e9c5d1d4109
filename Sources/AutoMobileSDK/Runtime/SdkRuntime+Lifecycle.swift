import Foundation

/// How the runtime follows the app's life.
extension SdkRuntime {
  /// Who does; nil where nobody tells, or nothing can be kept over launches.
  static func lifecycle(
    _ environment: SdkEnvironment, _ identity: Identity?, _ context: SdkContext, _ recorder: EventRecorder,
    isEnabled: Bool
  ) -> LifecycleTracker? {
    guard let identity else { return nil }
    guard let lifecycle = environment.makeLifecycle?() else {
      // Nobody tells when what is stored can be read: an extension runs after the first unlock.
      _ = identity.settle()
      context.anonymousId = identity.anonymousId
      return nil
    }
    let app = AppVersion(
      version: environment.appVersion ?? AppVersion.unknown, build: environment.appBuild ?? AppVersion.unknown)
    return LifecycleTracker(
      app: app, store: identity.store, identity: identity, context: context, lifecycle: lifecycle, recorder: recorder,
      isEnabled: isEnabled)
  }
}
