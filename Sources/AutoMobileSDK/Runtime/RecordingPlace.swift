import Foundation

/// Under whose name an SDK records, and where.
struct RecordingPlace {
  /// The app's; nil for a program that has none.
  let bundleId: String?
  let directory: URL
  /// Who records: what is left in the directory under this name is taken over by the next launch of the same name.
  let owner: String

  init(bundleId: String?, configuration: AutoMobileConfiguration, environment: SdkEnvironment) {
    self.bundleId = bundleId ?? environment.bundleId
    directory = configuration.storage.resolved() ?? FileManager.default.temporaryDirectory
    owner = self.bundleId ?? environment.processName()
  }
}
