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
  /// One of each name is started.
  package let name: String
  /// What records on its own, in the order in which it starts.
  package var subsystems: [SdkEnvironment.Subsystem]
  /// Who tells of earlier launches' ends, when it is this module.
  package var makePostMortem: (@Sendable (PostMortemHost) -> any PostMortem)?
  /// The files that it leaves beside the journal's.
  package var files: [LeftFile]

  package init(
    _ name: String, _ subsystems: [SdkEnvironment.Subsystem],
    makePostMortem: (@Sendable (PostMortemHost) -> any PostMortem)? = nil,
    files: [LeftFile] = []
  ) {
    self.name = name
    self.subsystems = subsystems
    self.makePostMortem = makePostMortem
    self.files = files
  }
}

extension SdkEnvironment {
  /// Puts in what modules bring, each once.
  package mutating func add(_ named: [AutoMobileIntegration]) {
    takesIntegrations = false
    let integrations = named.enumerated().filter { index, one in !named[..<index].contains { $0.name == one.name } }
      .map(\.element)
    let added = integrations.flatMap(\.subsystems)
    // Crashes first, so that what crashes in the others is reported.
    subsystems =
      added.filter { $0.name == .crashes } + [.barrierReporter, .log(AutoMobileLog.shared)] + subsystems
      + added.filter { $0.name != .crashes }
    makePostMortem = integrations.lazy.compactMap(\.makePostMortem).first ?? makePostMortem
    files += integrations.flatMap(\.files)
  }
}
