import AutoMobileJournal
import CAutoMobile
import Foundation

nonisolated(unsafe) private var sleeps: UInt64 = 0
private let asleep = DispatchSemaphore(value: 0)
private let awake = DispatchSemaphore(value: 0)

/// Puts a thread to sleep between reserving and claiming, lets the others fill all the segments that there is room for,
/// and wakes it.
func recordAsleep(_ journal: Journal) -> Never {
  @Sendable func append(_ text: String) {
    while Array(text.utf8).withUnsafeBytes({ journal.append(.event, $0) }) == nil { usleep(100) }
  }
  func drain() -> [String] {
    var texts: [String] = []
    while let chunk = journal.read(journal.launch, maximumBytes: 1 << 16, maximumRecords: 1000) {
      texts += chunk.records.map { String(decoding: chunk.bytes[$0.payload], as: UTF8.self) }
      journal.acknowledge(journal.launch, upTo: chunk.to)
    }
    return texts
  }
  append("before")
  let set = am_journal_set_hook { stage in
    guard stage == Int32(AM_STAGE_RESERVED), am_fetch_add_u64(&sleeps, 1) == 0 else { return }
    asleep.signal()
    awake.wait()
  }
  guard set else { exit(69) }
  let ended = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    append("asleep")
    ended.signal()
  }
  asleep.wait()
  // Seven segments of some 500: one less than there are slots, because the one with the sleeper stays.
  for number in 0..<3000 { append("after \(number)") }
  guard drain() == ["before"] else { exit(2) }
  awake.signal()
  ended.wait()
  guard drain() == ["asleep"] + (0..<3000).map({ "after \($0)" }) else { exit(3) }
  guard journal.ledger.recorded == 3002 + (journal.ledger.dropped["bufferOverflow"] ?? 0) else { exit(4) }
  exit(0)
}
