import Foundation

/// Under whose name an SDK records, and where.
struct RecordingPlace {
  /// The app's; nil for a program that has none.
  let bundleId: String?
  let directory: URL
  /// Who records: what is left in the directory under this name is taken over by the next launch of the same name.
  let owner: String
  /// Nobody else records there but the app and its extensions: a sandbox, or a directory that the app has chosen. Elsewhere
  /// programs that know nothing of each other share the place.
  let isAppsOwn: Bool

  init(bundleId: String?, configuration: AutoMobileConfiguration, environment: SdkEnvironment) {
    self.bundleId = bundleId ?? environment.bundleId
    directory = configuration.storage.resolved() ?? FileManager.default.temporaryDirectory
    owner = self.bundleId ?? environment.processName()
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    isAppsOwn = true
    #else
    if case .directory = configuration.storage { isAppsOwn = true } else { isAppsOwn = false }
    #endif
  }

  /// The owner as part of a file's name.
  var safeOwner: String { ControlCache.safe(owner) }
}
