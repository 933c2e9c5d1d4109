import AutoMobileJournal
import Foundation

/// Records, and keeps what it records, but for the events in every fourth page: these it writes to a file before it acknowledges
/// them, wherever the cursor is. A line for each; it may write something twice, when it is killed in between.
func keep(_ journal: Journal, receiver path: String) {
  let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  guard file >= 0 else { exit(66) }
  journal.setKeeping(days: 7)
  for thread in 0..<2 {
    Thread.detachNewThread {
      var index: UInt64 = 0
      while true {
        _ = payload(thread: thread, index: index).withUnsafeBytes { journal.append(.event, $0) }
        index += 1
        if index % 32 == 0 { usleep(400) }
      }
    }
  }
  var wanted: [LaunchID: [Range<UInt64>]] = [:]
  var positions: [LaunchID: UInt64] = [:]
  let parent = getppid()
  // A line that an earlier one began.
  write("\n", to: file)
  while true {
    for launch in journal.launches() {
      positions[launch] =
        journal.walk(launch, from: positions[launch] ?? 0, maximumBytes: 64 * 1024) { kind, position, next, _ in
          if kind == .event, position / 4096 % 4 == 0 { wanted[launch, default: []].append(position..<next) }
        }.next
      let ranges = wanted[launch] ?? []
      // Before anything of it can be on its way.
      journal.setNote([1], of: launch)
      journal.setWanted(ranges, of: launch)
      if let chunk = journal.readAhead(launch, in: ranges, maximumBytes: 16 * 1024, maximumRecords: 100).chunk {
        write(chunk.records.map { "R \(launch) \($0.position) .\n" }.joined(), to: file)
        let refused = chunk.records.map(\.position).filter { $0 % 800 == 0 }
        journal.reject(launch, refused, reason: .rejected)
        write(refused.map { "X \(launch) \($0) .\n" }.joined(), to: file)
        journal.acknowledgeAhead(launch, upTo: chunk.to)
      }
      if !journal.isOwn(launch) { journal.passSent(launch) }
      // Nobody is left to kill this program when its test has been killed.
      guard getppid() == parent else { exit(0) }
    }
    usleep(500)
  }
}

private func write(_ lines: String, to file: Int32) {
  var lines = lines
  lines.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      guard count > 0 else { exit(74) }
      done += count
    }
  }
}
