import AutoMobileJournal
import CAutoMobile
import Foundation

/// What the journal itself costs, beside the least that anything could cost and the usual way.
func benchmarkJournal(_ report: Report) {
  let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 128)
  report.heading("Appending 128 bytes, durable at return")
  withScratchDirectory { directory in
    payload.withUnsafeBytes { bytes in
      guard let floor = measureFloor(bytes, in: directory) else { return report.expect("a mapping", false) }
      report.time("memcpy and a release store into a mapping: the floor", floor)
      guard let journal = open(directory.appendingPathComponent("append")) else {
        return report.expect("a journal", false)
      }
      defer { journal.closeAndWait() }
      // A sample is a hundredth of a segment, and a rest in which the next can be prepared.
      let append = Measurement(rest: 0.0005) { for _ in 0..<$0 { journal.append(.event, bytes) } }
      report.time("Journal.append", append, target: 60, over: floor)
      let (write, size) = measureWrite(bytes, in: directory)
      report.time("write(2)", write, over: floor)
      report.expect("bytes written", size, is: write.operations * bytes.count)
      let dropped = Int(clamping: journal.ledger.dropped["bufferOverflow"] ?? 0)
      report.value("dropped while measuring", Double(dropped), "%.0f")
      report.expect("records appended", Int(clamping: journal.ledger.recorded), is: append.operations)
      // What is dropped is no append: a median bears few of these.
      report.expect("dropped of these", dropped, in: 0...append.operations / 10)
    }
  }
  report.heading("Appending 128 bytes without a pause, segments rolling over, the oldest evicted")
  for threads in [1, 2] {
    withScratchDirectory { directory in
      guard let journal = open(directory) else { return report.expect("a journal", false) }
      defer { journal.closeAndWait() }
      let rate = sustained(journal, payload: payload, threads: threads, seconds: Measurement.isShort ? 0.1 : 2)
      let ledger = journal.ledger
      report.expect("calls that the ledger counts", Int(clamping: ledger.recorded), is: rate.calls)
      report.expect("something is kept", rate.kept > 0)
      report.value("\(threads) thread(s): kept, million a second", rate.kept / 1e6)
      report.value("… dropped, percent of all calls", rate.droppedShare * 100, "%.1f")
      report.value("… evicted later, percent", share(ledger.dropped["evicted"], of: ledger.recorded), "%.1f")
    }
  }
  report.heading("Reading and acknowledging")
  withScratchDirectory { directory in
    guard let journal = open(directory) else { return report.expect("a journal", false) }
    defer { journal.closeAndWait() }
    var found = 0
    let read = Measurement(samples: 50, operations: 1000) { count in
      payload.withUnsafeBytes { bytes in for _ in 0..<count { journal.append(.event, bytes) } }
      while let chunk = journal.read(journal.launch, maximumBytes: 1 << 18, maximumRecords: 500) {
        found += chunk.records.count
        journal.acknowledge(journal.launch, upTo: chunk.to)
      }
    }
    let dropped = Int(clamping: journal.ledger.dropped["bufferOverflow"] ?? 0)
    report.expect("records read, and those that had no room", found + dropped, is: read.operations)
    report.expect("those that had no room", dropped, in: 0...read.operations / 10)
    report.time("append, read in batches of 500, acknowledge", read)
  }
}

private func open(_ directory: URL) -> Journal? {
  try? Journal(JournalOptions(directory: directory, owner: "benchmark"))
}

private func share(_ part: UInt64?, of whole: UInt64) -> Double {
  whole == 0 ? 0 : Double(part ?? 0) / Double(whole) * 100
}

/// Nothing but the bytes and the word that says that they are whole, into pages that were touched before.
private func measureFloor(_ bytes: UnsafeRawBufferPointer, in directory: URL) -> Measurement? {
  let size = 1 << 20
  let path = directory.appendingPathComponent("floor").path
  let file = Foundation.open(path, O_RDWR | O_CREAT, 0o600)
  defer { close(file) }
  guard ftruncate(file, off_t(size)) == 0,
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), memory != MAP_FAILED,
    let source = bytes.baseAddress
  else { return nil }
  defer { munmap(memory, size) }
  memset(memory, 1, size)
  var offset = 0
  return Measurement(rest: 0.0005) {
    for _ in 0..<$0 {
      memcpy(memory + offset + 16, source, bytes.count)
      am_store_release_u32((memory + offset).assumingMemoryBound(to: UInt32.self), UInt32(bytes.count))
      offset = (offset + 16 + bytes.count) & (size / 2 - 1) & ~7
    }
  }
}

private func measureWrite(_ bytes: UnsafeRawBufferPointer, in directory: URL) -> (time: Measurement, size: Int) {
  let file = Foundation.open(directory.appendingPathComponent("write").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
  defer { close(file) }
  let time = Measurement(samples: 200, operations: 100, rest: 0.0005) {
    for _ in 0..<$0 { _ = write(file, bytes.baseAddress, bytes.count) }
  }
  return (time, Int(lseek(file, 0, SEEK_END)))
}

/// Appends as fast as it goes, for some seconds.
private func sustained(
  _ journal: Journal, payload: [UInt8], threads: Int, seconds: Double
) -> (kept: Double, droppedShare: Double, calls: Int) {
  let (done, calls) = (DispatchSemaphore(value: 0), Count())
  let started = DispatchTime.now().uptimeNanoseconds
  let deadline = started + UInt64(seconds * 1e9)
  for _ in 0..<threads {
    Thread.detachNewThread {
      payload.withUnsafeBytes { bytes in
        while DispatchTime.now().uptimeNanoseconds < deadline {
          for _ in 0..<1000 { journal.append(.event, bytes) }
          calls.add(1000)
        }
      }
      done.signal()
    }
  }
  for _ in 0..<threads { done.wait() }
  let elapsed = Double(DispatchTime.now().uptimeNanoseconds - started) / 1e9
  let ledger = journal.ledger
  let dropped = Double(ledger.dropped["bufferOverflow"] ?? 0)
  return ((Double(ledger.recorded) - dropped) / elapsed, dropped / max(1, Double(ledger.recorded)), calls.value)
}
