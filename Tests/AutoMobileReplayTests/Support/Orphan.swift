import AutoMobileJournal
import Foundation

@testable import AutoMobileReplay

/// What an earlier launch left of a session: some seconds of it, a frame and a line in each, and no end.
func leaveOrphan(in root: URL, seconds: Int64 = 2, owner: String = "dev.test") throws -> String {
  let begin: Int64 = 1_600_000_000_000
  let directory = SessionDirectory(id: SessionDirectory.newId(at: begin), in: root)
  try directory.make()
  var options = SessionJournalOptions()
  options.freeDiskFloor = 0
  let journal = try SessionJournal(new: directory, owner: owner, options: options)
  journal.setSession(SessionRecord(id: directory.id, startedAt: begin, isTelemetryOnly: false))
  let store = FrameStore(directory, budget: FrameBudget())
  for second in 0..<seconds {
    let time = begin + second * 1000
    journal.append(.replayEvent, line: TimelineEvent.foreground.line(at: time), at: time)
    if let kept = store.keep(frame(time), at: time) { journal.append(.replayFrame, kept.entry) }
  }
  journal.closeAndWait()
  return directory.id
}
