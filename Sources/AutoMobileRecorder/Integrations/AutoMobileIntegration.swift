/// What a module adds to the recorder, for an app that does not want all of them.
///
/// `import AutoMobileSDK` brings every one, and `initialize(bundleId:configuration:)` starts them all. An app that wants less
/// depends on the modules that it wants, and names them once:
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
  let name: Name
  /// Puts into the environment what the module brings: its subsystems, in the order in which they start; who tells of earlier
  /// launches' ends, when it is this module; the files that it leaves beside the journal's.
  let add: @Sendable (inout SdkEnvironment) -> Void

  package enum Name: Sendable {
    case crashReporting, requests, interface, system, inspection
  }

  package init(_ name: Name, add: @escaping @Sendable (inout SdkEnvironment) -> Void) {
    self.name = name
    self.add = add
  }
}

extension SdkEnvironment {
  /// Puts in what modules bring, each once.
  ///
  /// Plain loops: each generic function would make the first start of an app longer by what it takes to make its types.
  package mutating func add(_ integrations: [AutoMobileIntegration]) {
    takesIntegrations = false
    for place in 0..<integrations.count {
      var isKnown = false
      for earlier in 0..<place where integrations[earlier].name == integrations[place].name { isKnown = true }
      if !isKnown { integrations[place].add(&self) }
    }
    // Crashes first, so that what crashes in the others is reported.
    var ordered: [Subsystem] = []
    for subsystem in subsystems where subsystem.name == .crashes { ordered.append(subsystem) }
    ordered.append(.barrierReporter)
    ordered.append(.log(AutoMobileLog.shared))
    for subsystem in subsystems where subsystem.name != .crashes { ordered.append(subsystem) }
    subsystems = ordered
  }
}
