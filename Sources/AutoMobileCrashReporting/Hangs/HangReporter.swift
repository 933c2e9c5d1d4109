import AutoMobileJournal
import AutoMobileRecorder

/// Records hangs: what is known of one that goes on for the next launch, and the event when it is over.
final class HangReporter: HangReporting {
  private let bundleId: String
  private let buffer: SdkEventBuffer
  private let currentScreen: CurrentScreen?
  private let freezes: FreezeObservers

  init(bundleId: String, buffer: SdkEventBuffer, currentScreen: CurrentScreen?, freezes: FreezeObservers) {
    self.bundleId = bundleId
    self.buffer = buffer
    self.currentScreen = currentScreen
    self.freezes = freezes
  }

  func prepare() {
    // Swift's runtime makes the types that encoding needs when they are first used.
    _ = try? withEncodedEvent(beginning(HangIncident(id: "", startedAt: 0), 0), contextId: 0) { _ in }
  }

  func hangBegan(_ incident: HangIncident, lastedMs: Int64) {
    buffer.keep(beginning(incident, lastedMs), as: .provisionalHang)
  }

  /// No stack, no screen: this much needs no memory, so that it is kept whatever the main thread holds.
  private func beginning(_ incident: HangIncident, _ lastedMs: Int64) -> SdkHangEvent {
    SdkHangEvent(
      timestamp: incident.startedAt, durationMs: Double(lastedMs), stackTrace: nil, bundleId: bundleId,
      report: DiagnosticReport(reportId: incident.id, kind: .hang))
  }

  func hangGrew(_ incident: HangIncident, lastedMs: Int64) {
    // Again and again for the same hang: the few stacks that matter most will do.
    let event = event(incident, lastedMs, screen: currentScreen?.noted, maximumSamples: 4)
    buffer.keep(event, as: .provisionalHang)
    if lastedMs >= HangSettings.anrThreshold, let report = event.report { freezes.began(incident, report) }
  }

  func hangEnded(_ incident: HangIncident, durationMs: Int64) {
    // The provider may wait for the main thread, which it may do now.
    buffer.record(event(incident, durationMs, screen: currentScreen?.name))
    ProvisionalHang.end(incident.id, in: buffer)
    freezes.ended(incident, durationMs: durationMs)
  }

  func hangWithdrawn(_ incident: HangIncident) {
    ProvisionalHang.end(incident.id, in: buffer)
    freezes.ended(incident, durationMs: nil)
  }

  private func event(_ incident: HangIncident, _ lastedMs: Int64, screen: String?, maximumSamples: Int = .max)
    -> SdkHangEvent
  {
    let report = DiagnosticReport(incident, lastedMs: lastedMs, maximumSamples: maximumSamples)
    return SdkHangEvent(
      timestamp: incident.startedAt, durationMs: Double(lastedMs),
      stackTrace: report.threads.isEmpty ? nil : report.stackTrace, bundleId: bundleId, currentScreen: screen,
      report: report)
  }
}
