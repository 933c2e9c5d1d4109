import AutoMobileRecorder
import AutoMobileSupport

/// What became of earlier launches, and the traces of this one.
package final class LaunchHistory: PostMortem {
  package let crashes: PreviousCrashes
  private let host: PostMortemHost
  private let makeProbe: (@Sendable () -> ProcessProbe)?
  private let launchEnd = Locked<LaunchEnd?>(nil)

  /// - Parameter makeProbe: what the system says about the process; nil: nobody asks, and only crashes are told.
  package init(_ host: PostMortemHost, makeProbe: (@Sendable () -> ProcessProbe)?) {
    self.host = host
    self.makeProbe = makeProbe
    crashes = PreviousCrashes(
      journal: host.journal, recorder: host.recorder, directory: host.directory, bundleId: host.bundleId,
      maxBreadcrumbs: host.maxBreadcrumbs)
  }

  package func lookForCrashes() { crashes.look() }

  package func begin() -> Bool {
    guard let probe = makeProbe?() else { return false }
    let facts = LaunchState(
      time: Clocks.millisecondsSince1970(), stage: LaunchState.firstStage, bundleId: host.bundleId,
      appVersion: host.appVersion, osVersion: host.osVersion)
    let started = LaunchEnd(
      journal: host.journal, earlierLaunches: host.earlierLaunches,
      evidence: CrashEvidence(journal: host.journal, directory: host.directory),
      announcement: host.announcement, facts: facts, probe: probe, timer: host.makeTimer()
    ) { [recorder = host.recorder] in recorder.record($0) }
    launchEnd.withLock { $0 = started }
    return true
  }

  package func setResting(_ isResting: Bool) { launchEnd.withLock { $0 }?.setResting(isResting) }

  package func noteShutdown() { launchEnd.withLock { $0 }?.noteShutdown() }

  package func forget() { crashes.forget() }

  /// Where the app is: for platforms on which nobody tells, and for tests.
  package func note(stage: LaunchState.Stage) { launchEnd.withLock { $0 }?.note(stage: stage) }

  /// For tests: writes down now what the system says.
  package func sample() { launchEnd.withLock { $0 }?.sample() }
}

extension SdkRuntime {
  /// For tests, and for platforms on which nobody tells.
  package var launchHistory: LaunchHistory? { postMortem as? LaunchHistory }
}

extension SdkEnvironment {
  /// Earlier launches are looked at, and erasures find what is left of them.
  ///
  /// - Parameter makeProbe: nil: only crashes are told.
  package mutating func addLaunchHistory(makeProbe: (@Sendable () -> ProcessProbe)?) {
    makePostMortem = { LaunchHistory($0, makeProbe: makeProbe) }
    files += [.crashLanes, .crashReportingFiles]
  }
}
