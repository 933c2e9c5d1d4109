import AutoMobileJournal
import AutoMobileRecorder
import Foundation

/// What ended the launch before, and the traces from which the next launch will tell what ended this one.
final class LaunchEnd: Sendable {
  private let writer: LaunchStateWriter
  #if canImport(UIKit) && !os(watchOS)
  private let observer: LaunchStateObserver
  #endif

  /// Begins to write, and has earlier launches looked at in their turn. Asks nothing of the system on this thread.
  init(
    journal: Journal, earlierLaunches: EarlierLaunches, evidence: CrashEvidence, announcement: LaunchEndAnnouncement,
    facts: LaunchState, probe: ProcessProbe, timer: any TimerScheduling,
    record: @escaping @Sendable (SdkLifecycleEvent) -> Void
  ) {
    writer = LaunchStateWriter(journal: journal, facts: facts, probe: probe, timer: timer)
    #if canImport(UIKit) && !os(watchOS)
    observer = LaunchStateObserver(writer)
    #endif
    earlierLaunches.add(.verdict) { launches in
      var facts = facts
      facts.boot = probe.boot()
      let (sinceBoot, overflow) = Clocks.millisecondsSince1970()
        .subtractingReportingOverflow(Clocks.continuousMilliseconds())
      let reader = LaunchEndReader(
        journal: journal, evidence: evidence, facts: facts, isDesktop: probe.isDesktop, kills: probe.memory().kills,
        bootTime: overflow ? 0 : sinceBoot)
      announcement.decide(LaunchEndTeller(journal: journal, reader: reader, record: record).tell(launches))
    }
    writer.start()
  }

  /// The app has shut the SDK down.
  func noteShutdown() { writer.note(exit: .shutdown) }

  /// The SDK does nothing for now, or goes on.
  func setResting(_ isResting: Bool) { writer.setResting(isResting) }

  /// For tests and platforms on which nobody tells: where the app is.
  func note(stage: LaunchState.Stage) { writer.note(stage: stage) }

  /// For tests: asks the system now.
  func sample() { writer.sample() }
}
