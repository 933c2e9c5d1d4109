import AutoMobileRecorder

extension DiagnosticReport {
  /// What is known of a hang.
  ///
  /// - Parameters:
  ///   - lastedMs: until now, or until its end.
  ///   - maximumSamples: leave out all but those that were seen most often.
  init(_ incident: HangIncident, lastedMs: Int64, maximumSamples: Int = .max) {
    self = .ofThisProcess(id: incident.id, kind: .hang)
    durationMs = Double(lastedMs)
    anr = lastedMs >= HangSettings.anrThreshold
    guard let dominant = incident.dominant, let unwinder = incident.unwinder else {
      notes.append("the main thread's stack could not be captured")
      return
    }
    var reported = ReportedStacks(unwinder, architecture: .current)
    let often = incident.samples.map(\.count).sorted(by: >).prefix(maximumSamples).last ?? 0
    let samples = incident.samples.filter { $0.count >= often }.prefix(maximumSamples).map {
      Sample(atMs: Double($0.atMs), count: $0.count, frames: reported.frames($0.stack.frames))
    }
    self.samples = samples
    threads = [
      Thread(
        id: dominant.thread, name: "main", main: true, frames: reported.frames(dominant.stack.frames),
        truncated: dominant.stack.isTruncated)
    ]
    images = reported.images
    if incident.others > 0 { notes.append("\(incident.others) further samples showed other stacks") }
    if incident.failures > 0 { notes.append("the stack could not be captured \(incident.failures) times") }
  }
}
