import AutoMobileJournal
import CAutoMobile
import Foundation

/// The `index`th payload of a thread: tests can tell whether it is whole.
func payload(thread: Int, index: UInt64) -> [UInt8] {
  Array("\(thread):\(index):".utf8) + [UInt8](repeating: UInt8(97 + index % 26), count: Int(index &* 31 % 300))
}

nonisolated(unsafe) private var dieAt = (stage: Int32(0), count: UInt64(0))
nonisolated(unsafe) private var seen: UInt64 = 0

/// Appends from several threads, for ever.
func record(_ journal: Journal, witness path: String, threads: Int, killedAt: (Int32, UInt64)?) {
  guard let witness = Witness(path: path) else { exit(66) }
  journal.setPreamble(.context, Array(#"{"contextId":1}"#.utf8))
  if let killedAt {
    dieAt = killedAt
    guard
      am_journal_set_hook({ stage in
        if stage == dieAt.stage, am_fetch_add_u64(&seen, 1) + 1 == dieAt.count { kill(getpid(), SIGKILL) }
      })
    else { exit(69) }
  }
  for thread in 0..<threads {
    Thread.detachNewThread {
      var index: UInt64 = 0
      while true {
        let bytes = payload(thread: thread, index: index)
        if bytes.withUnsafeBytes({ journal.append(.event, $0) }) != nil {
          witness.countKept(thread)
          index += 1
        } else {
          witness.countDropped(thread)
          usleep(100)
        }
      }
    }
  }
  // Nobody is left to kill this program when its test has been killed.
  let parent = getppid()
  while getppid() == parent { sleep(1) }
}
