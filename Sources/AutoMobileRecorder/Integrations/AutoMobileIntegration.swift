/// What a module adds to the recorder, for an app that does not want all of them.
///
/// `import AutoMobileSDK` brings every one, and ``AutoMobileSDK`` starts them all. An app that wants less depends on the modules
/// that it wants, and names them once:
///
///     import AutoMobileCrashReporting
///     import AutoMobileRecorder
///
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app", integrations: [.crashReporting])
///
/// A module that is not linked costs nothing. What it brings is switched on and off by ``AutoMobileSubsystems``, as always: a
/// switch of something that is not there does nothing.
public struct AutoMobileIntegration: Sendable {
  /// What records on its own, in the order in which it starts.
  package var subsystems: [SdkEnvironment.Subsystem]
  /// Who tells of earlier launches' ends, when it is this module.
  package var makePostMortem: (@Sendable (PostMortemHost) -> any PostMortem)?
  /// The files that it leaves beside the journal's.
  package var files: [LeftFile]

  package init(
    _ subsystems: [SdkEnvironment.Subsystem], makePostMortem: (@Sendable (PostMortemHost) -> any PostMortem)? = nil,
    files: [LeftFile] = []
  ) {
    self.subsystems = subsystems
    self.makePostMortem = makePostMortem
    self.files = files
  }
}

extension SdkEnvironment {
  /// Puts in what modules bring.
  package mutating func add(_ integrations: [AutoMobileIntegration]) {
    takesIntegrations = false
    let added = integrations.flatMap(\.subsystems)
    // Crashes first, so that what crashes in the others is reported.
    subsystems =
      added.filter { $0.name == .crashes } + [.barrierReporter, .log(AutoMobileLog.shared)] + subsystems
      + added.filter { $0.name != .crashes }
    makePostMortem = integrations.lazy.compactMap(\.makePostMortem).first ?? makePostMortem
    files += integrations.flatMap(\.files)
  }
}
