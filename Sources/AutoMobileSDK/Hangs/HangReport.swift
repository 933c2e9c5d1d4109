extension DiagnosticReport {
  /// What is known of a hang.
  ///
  /// - Parameter lastedMs: until now, or until its end.
  init(_ incident: HangIncident, lastedMs: Int64) {
    self = .ofThisProcess(id: incident.id, kind: .hang)
    durationMs = Double(lastedMs)
    anr = lastedMs >= HangSettings.anrThreshold
    guard let dominant = incident.dominant, let unwinder = incident.unwinder else {
      notes.append("the main thread's stack could not be taken")
      return
    }
    var reported = ReportedStacks(unwinder, architecture: .current)
    let samples = incident.samples.map {
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
    if incident.failures > 0 { notes.append("the stack could not be taken \(incident.failures) times") }
  }
}
