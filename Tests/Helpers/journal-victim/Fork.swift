import AutoMobileJournal
import Foundation

// Swift hides `fork`, and rightly so; a host app may call it all the same.
@_silgen_name("fork") private func forkProcess() -> pid_t

/// Records in the parent, tries to record in the child, and says whether the child was kept from it.
func recordAcrossFork(_ journal: Journal) -> Never {
  func append(_ text: String, to journal: Journal) -> UInt64? {
    Array(text.utf8).withUnsafeBytes { journal.append(.event, $0) }
  }
  guard append("parent", to: journal) != nil else { exit(1) }
  waitForKeeper(of: journal)
  let child = forkProcess()
  if child == 0 {
    guard append("child", to: journal) == nil else { _exit(2) }
    journal.countLoss(.filtered)
    journal.setPreamble(.context, [1])
    guard journal.read(journal.launch, maximumBytes: 1, maximumRecords: 1) == nil, journal.launches().isEmpty else {
      _exit(3)
    }
    _exit(0)
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  guard journal.ledger.recorded == 1 else { exit(5) }
  exit(status == 0 ? 0 : 6)
}

/// Waits until the journal's thread rests. The child has one thread: a lock of the Swift runtime's that another one held at the
/// fork is never given back.
private func waitForKeeper(of journal: Journal) {
  let directory = URL(fileURLWithPath: arguments[2])
  func segments() -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    return names.filter { $0.hasSuffix(".journal") }.count
  }
  while segments() < 3 { usleep(1000) }
  // It holds the journal's lock while it works.
  _ = journal.launches()
}
