/// The version that was told last. Its keys are not those of the identity, which can be reset without making the app look new.
struct LifecycleStorage: Sendable {
  static let versionKey = "automobile:lifecycle:version"
  static let buildKey = "automobile:lifecycle:build"

  /// Says of an installation that nobody has heard of it: later launches have an identity by which they look like updates.
  static let untoldKey = "automobile:lifecycle:untold"

  let store: any KeyValueStore

  /// Nil when nothing is stored; of what is missing otherwise, `unknown`.
  var app: AppVersion? {
    let (version, build) = (store.string(Self.versionKey), store.string(Self.buildKey))
    guard version != nil || build != nil else { return nil }
    return AppVersion(version: version ?? AppVersion.unknown, build: build ?? AppVersion.unknown)
  }

  var hasUntoldInstallation: Bool { store.string(Self.untoldKey) != nil }

  func noteUntoldInstallation() { store.set(Self.untoldKey, "installed") }

  func keep(_ app: AppVersion) {
    if hasUntoldInstallation { store.set(Self.untoldKey, nil) }
    store.set(Self.versionKey, app.version)
    store.set(Self.buildKey, app.build)
  }
}
