import AutoMobileJournal
import Foundation

/// Records, and writes what it reads to a file before it acknowledges it: a line for each record, a line for each final
/// ledger. As a delivery does, it may write something twice, when it is killed between writing and acknowledging.
func relay(_ journal: Journal, receiver path: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  guard file >= 0 else { exit(66) }
  for thread in 0..<2 {
    Thread.detachNewThread {
      var index: UInt64 = 0
      while true {
        _ = payload(thread: thread, index: index).withUnsafeBytes { journal.append(.event, $0) }
        index += 1
        if index % 32 == 0 { usleep(200) }
      }
    }
  }
  let parent = getppid()
  while true {
    for launch in journal.launches() {
      while let chunk = journal.read(launch, maximumBytes: 16 * 1024, maximumRecords: 100) {
        let lines = chunk.records.map { "R \(launch) \($0.position)\n" }.joined()
        send(lines, to: file)
        // Every hundredth record is one that the receiver refuses.
        let refused = chunk.records.map(\.position).filter { $0 % 800 == 0 }
        journal.reject(launch, refused, reason: .rejected)
        send(refused.map { "X \(launch) \($0)\n" }.joined(), to: file)
        journal.acknowledge(launch, upTo: chunk.to)
        // Nobody is left to kill this program when its test has been killed.
        guard getppid() == parent else { exit(0) }
      }
      if !journal.isOwn(launch), let ledger = journal.ledger(of: launch), ledger.final {
        send("L \(launch) \(ledger.recorded) \(ledger.dropped.values.reduce(0, +)) \(ledger.torn)\n", to: file)
        journal.finish(launch)
      }
    }
    usleep(500)
  }
}

private func send(_ lines: String, to file: Int32) {
  var lines = lines
  lines.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      guard count > 0 else { exit(74) }
      done += count
    }
  }
}
