import AutoMobileJournal
import AutoMobileRecorder

/// Makes events of hangs in which launches ended.
struct UnfinishedHangs: Sendable {
  let journal: Journal
  let buffer: SdkEventBuffer

  /// Each is told once, under the context that held, whatever happens to this launch meanwhile. Reads the disk.
  func tell(of launches: [LaunchID]) {
    let open = launches.compactMap { launch in
      ProvisionalHang(endOf: launch, in: journal).map { (launch: launch, hang: $0) }
    }
    guard !open.isEmpty else { return }
    let told = EndNote.told(.provisionalHang, by: [.event], in: journal, idOfEvent: ProvisionalHang.id(ofEvent:))
    for (launch, hang) in open where !told.contains(hang.id) {
      buffer.record(hang.event.unfinished, of: launch, contextId: hang.contextId)
      ProvisionalHang.end(hang.id, in: buffer)
    }
  }
}

extension SdkHangEvent {
  /// The same, saying that nobody knows how long it would have lasted.
  fileprivate var unfinished: SdkHangEvent {
    var report = report
    report?.notes.append("the process ended during the hang, which had lasted at least this long")
    return SdkHangEvent(
      timestamp: timestamp, durationMs: durationMs, stackTrace: stackTrace, bundleId: bundleId,
      currentScreen: currentScreen, report: report)
  }
}
