/// The version that ran last. Its keys are not those of the identity, which can be reset without making the app look new.
struct LifecycleStorage: Sendable {
  static let versionKey = "automobile:lifecycle:version"
  static let buildKey = "automobile:lifecycle:build"

  let store: any KeyValueStore

  /// Nil when nothing is stored; of what is missing otherwise, `unknown`.
  var app: AppVersion? {
    let (version, build) = (store.string(Self.versionKey), store.string(Self.buildKey))
    guard version != nil || build != nil else { return nil }
    return AppVersion(version: version ?? AppVersion.unknown, build: build ?? AppVersion.unknown)
  }

  func keep(_ app: AppVersion) {
    store.set(Self.versionKey, app.version)
    store.set(Self.buildKey, app.build)
  }
}
