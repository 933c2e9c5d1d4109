import CAutoMobile
import Foundation
import TestTools
import Testing

@testable import AutoMobileJournal

/// Files that are not as they were left. Nothing crashes, and only what was damaged is lost.
@Suite struct DamageTests {
  /// A small journal that was closed: its files' bytes, and what is in it.
  private struct Original {
    static let count = 14
    let launch: LaunchID
    let files: [String: Data]
    let texts = (0..<Original.count).map { "record \($0) " + String(repeating: "x", count: $0 * 7 % 40) }

    init(segmentSize: Int = 4096) throws {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      var options = JournalOptions.small(directory)
      options.segmentSize = segmentSize
      let journal = try Journal(options)
      launch = journal.launch
      texts.forEach { journal.append($0) }
      journal.closeAndWait()
      var files: [String: Data] = [:]
      for name in directory.names() where name.hasSuffix(".ledger") || name.contains("-000000.") {
        files[name] = try Data(contentsOf: directory.url.appendingPathComponent(name))
      }
      self.files = files
    }

    /// What the next launch gets out of the files when one of them is something else.
    func recovered(replacing name: String, with data: Data) throws -> (texts: [String], ledger: LaunchLedger?) {
      let directory = try TemporaryDirectory()
      defer { directory.remove() }
      for (other, original) in files {
        try (other == name ? data : original).write(to: directory.url.appendingPathComponent(other))
      }
      let journal = try Journal(.small(directory))
      defer { journal.closeAndWait() }
      _ = journal.launches()
      let texts = journal.drain(launch)
      return (texts, journal.ledger(of: launch))
    }
  }

  @Test func `every byte of a segment flipped costs at most the record that it belongs to`() async throws {
    try await onThread {
      let original = try Original()
      let (name, data) = try #require(original.files.first { $0.key.hasSuffix(".journal") })
      let used = SegmentRing.header + original.texts.reduce(0) { $0 + RecordHeader.stride(payload: $1.utf8.count) }
      for offset in 0..<used {
        var damaged = data
        damaged[offset] ^= UInt8.random(in: 1...255)
        let (texts, ledger) = try original.recovered(replacing: name, with: damaged)
        let missing = original.texts.filter { !texts.contains($0) }
        #expect(missing.count <= (offset < SegmentRing.header ? 0 : 1), "byte \(offset)")
        #expect(Set(texts).isSubset(of: original.texts) && Set(texts).count == texts.count, "byte \(offset)")
        let counted = try #require(ledger, "byte \(offset)")
        #expect(counted.final && counted.recorded == UInt64(Original.count), "byte \(offset): \(counted)")
        #expect(counted.dropped == (missing.isEmpty ? [:] : ["corrupt": 1]), "byte \(offset): \(counted)")
      }
    }
  }

  @Test func `every byte of a ledger flipped costs no record`() async throws {
    try await onThread {
      let original = try Original()
      let (name, data) = try #require(original.files.first { $0.key.hasSuffix(".ledger") })
      // What is used of it; the rest is zeros, and every 13th byte of those will do.
      let used = data.indices.filter { $0 < 256 || data[$0] != 0 || $0 % 13 == 0 }
      for offset in used {
        var damaged = data
        damaged[offset] ^= UInt8.random(in: 1...255)
        let (texts, ledger) = try original.recovered(replacing: name, with: damaged)
        #expect(texts == original.texts, "byte \(offset)")
        let counted = try #require(ledger, "byte \(offset)")
        #expect(counted.final && counted.isExact(delivered: texts.count), "byte \(offset): \(counted)")
      }
    }
  }

  @Test func `a segment cut off at any length keeps the records before the cut`() async throws {
    try await onThread {
      let original = try Original()
      let (name, data) = try #require(original.files.first { $0.key.hasSuffix(".journal") })
      let ends = original.texts.reduce(into: [SegmentRing.header]) {
        $0.append(($0.last ?? 0) + RecordHeader.stride(payload: $1.utf8.count))
      }
      for length in 0...(ends.last ?? 0) {
        let (texts, ledger) = try original.recovered(replacing: name, with: data.prefix(length))
        let whole = ends.dropFirst().filter { $0 <= length }.count
        #expect(texts == Array(original.texts.prefix(whole)), "length \(length)")
        #expect(ledger?.isExact(delivered: whole) == true, "length \(length): \(String(describing: ledger))")
      }
    }
  }

  @Test func `random bytes in the place of a segment or a ledger do no harm`() async throws {
    try await onThread {
      let original = try Original()
      for round in 0..<200 {
        let name = try #require(original.files.keys.sorted().randomElement())
        let noise = Data((0..<Int.random(in: 0...6000)).map { _ in UInt8.random(in: 0...255) })
        let (texts, ledger) = try original.recovered(replacing: name, with: noise)
        #expect(texts.isEmpty || texts == original.texts, "round \(round)")
        #expect(ledger?.isExact(delivered: texts.count) == true, "round \(round): \(String(describing: ledger))")
      }
    }
  }

  @Test func `bytes made to waste time are given up on`() {
    // Every eight bytes something that could be a record as long as the rest, but for its checksum.
    let launch = LaunchID()
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    bytes.withUnsafeMutableBytes { raw in
      for offset in stride(from: 0, to: raw.count - 16, by: 16) {
        let length = raw.count - offset - 16
        raw.storeBytes(
          of: RecordHeader.word(.published, kind: .event, length: length), toByteOffset: offset, as: UInt32.self)
        raw.storeBytes(of: UInt64(offset), toByteOffset: offset + 8, as: UInt64.self)
      }
      let started = DispatchTime.now().uptimeNanoseconds
      var walker = SegmentWalker(
        codec: RecordCodec(launch: launch), bytes: UnsafeRawBufferPointer(raw), base: 0, from: 0, writers: .gone)
      var steps = 0
      while walker.next() != .end { steps += 1 }
      #expect(steps < 100)
      // Quadratic work would be billions of bytes, minutes in a debug build.
      #expect(DispatchTime.now().uptimeNanoseconds - started < 60_000_000_000)
    }
  }

  @Test func `a file that cannot be a journal's is left alone`() throws {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let names = [
      "notes.txt", "-000000.journal", "\(LaunchID())-99999999999999999999.journal", "\(LaunchID())-00000x.journal",
      "\(LaunchID()).ledger.bak",
    ]
    for name in names { try Data("mine".utf8).write(to: directory.url.appendingPathComponent(name)) }
    try FileManager.default.createDirectory(
      at: directory.url.appendingPathComponent("\(LaunchID())-000000.journal"), withIntermediateDirectories: true)
    let journal = try Journal(.small(directory))
    defer { journal.closeAndWait() }
    for launch in journal.launches() { _ = journal.drain(launch) }
    journal.append("works")
    #expect(journal.drain(journal.launch) == ["works"])
    #expect(Set(names).isSubset(of: directory.names()))
  }
}
