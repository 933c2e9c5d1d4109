import AutoMobileJournal
import Foundation

@testable import AutoMobileCollector

/// What the collector finds on its disk when it starts: the ingest log, and what of it has gone to ClickHouse.
enum LogFuzz {
  // MARK: Frames

  private static let longestBody = 1 << 16
  private static let owner = DataOwner.app("com.example.shop")

  /// A part of a segment, and a body.
  static func frames(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    read(bytes, expect)
    for isNumbered in [true, false] { written(bytes, isNumbered, expect) }
    inDirectory(expect) { try follow(bytes, in: $0, expect) }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, _ expect: (Bool, String) -> Void) {
    guard let frame = LogFrame(header: bytes) else { return }
    let header = UnsafeRawBufferPointer(rebasing: bytes[..<LogFrame.headerSize])
    let contents = UnsafeRawBufferPointer(rebasing: bytes[LogFrame.headerSize...])
    _ = frame.matches(header: header, contents: contents)
    let (owner, _, body) = frame.split(contents)
    expect(contents.suffix(body.count).elementsEqual(body), "a body is the end of what there is")
    expect(owner?.name.utf8.count ?? 0 <= 3 * contents.count, "a name is a part of it")
    expect(LogFrame.stride(body: frame.length) >= LogFrame.headerSize + frame.length, "a frame has room for its body")
  }

  private static func written(
    _ body: UnsafeRawBufferPointer, _ isNumbered: Bool, _ expect: (Bool, String) -> Void
  ) {
    let owner = DataOwner.app(String(decoding: body.prefix(40), as: UTF8.self))
    var frame = Self.frame(of: owner, body, isNumbered)
    func read(_ check: (LogFrame, Bool, UnsafeRawBufferPointer) -> Void) {
      frame.withUnsafeBytes { bytes in
        let contents = UnsafeRawBufferPointer(rebasing: bytes[LogFrame.headerSize...])
        let header = UnsafeRawBufferPointer(rebasing: bytes[..<LogFrame.headerSize])
        guard let frame = LogFrame(header: header) else { return expect(false, "a header is read as it is written") }
        check(frame, frame.matches(header: header, contents: contents), contents)
      }
    }
    read { frame, isWhole, contents in
      expect(isWhole && frame.length == contents.count && frame.events == body.count, "a frame is whole")
      let (name, number, rest) = frame.split(contents)
      expect(name == owner && number == (isNumbered ? 42 : nil), "it is known whose it is, and its number")
      expect(rest.elementsEqual(body), "a body is read as it is written")
    }
    // One bit, of all that the checksum is about, and itself.
    let bit = body.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF
    frame[4 + bit / 8 % (frame.count - 4)] ^= 1 << UInt8(bit % 8)
    read { _, isWhole, _ in expect(!isWhole, "what has changed is seen") }
  }

  private static func frame(of owner: DataOwner, _ body: UnsafeRawBufferPointer, _ isNumbered: Bool) -> [UInt8] {
    var head = LogFrame.Head(
      receivedAt: 1_700_000_000_000, events: body.count, owner: owner, body: body, isNumbered: isNumbered)
    head.number(42)
    return head.bytes + Array(body)
  }

  /// Behind what is there, whatever it is, stands a frame.
  private static func follow(
    _ bytes: UnsafeRawBufferPointer, in directory: LogDirectory, _ expect: (Bool, String) -> Void
  ) throws {
    func filled(_ bytes: [UInt8]) -> [UInt8] { bytes + [UInt8](repeating: 0, count: -bytes.count & 7) }
    let before = filled(Array(bytes))
    let body = Array("a body".utf8)
    let content = before + body.withUnsafeBytes { filled(frame(of: owner, $0, true)) }
    try Data(content).write(to: URL(fileURLWithPath: directory.file(1)))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LogFrame.headerSize + longestBody, alignment: 16)
    defer { buffer.deallocate() }
    let start = LogPosition(segment: 1, offset: 0)
    let end = LogPosition(segment: 1, offset: content.count)
    var reader = LogReader(directory: directory, from: start, maximumBody: longestBody, buffer: buffer)
    var (last, consumed, isFound) = (start, 0, false)
    while let entry = try reader.next(before: end) {
      expect(last <= entry.start && entry.start < entry.next && entry.next <= end, "it goes forward")
      expect(entry.start.offset == last.offset + entry.skipped, "what is passed over is counted")
      expect(entry.body.count <= longestBody, "no body is longer than allowed")
      isFound = entry.start.offset == before.count && entry.owner == owner && entry.body.elementsEqual(body)
      consumed += entry.consumed
      last = entry.next
    }
    expect(isFound && consumed == content.count, "what was torn hides nothing that stands behind it")
  }

  // MARK: Batches

  /// A file as it is, when the first byte is even; else its entries, a line each, whose lengths and checksums are put right.
  static func batches(_ bytes: UnsafeRawBufferPointer, expect: (Bool, String) -> Void) {
    guard let mode = bytes.first else { return }
    let content = mode & 1 == 0 ? Array(bytes.dropFirst()) : entries(bytes.dropFirst())
    inDirectory(expect) { directory in
      try Data(content).write(to: URL(fileURLWithPath: directory.path + "/clickhouse"))
      let first = try BatchJournal(directory: directory)
      expect((0...content.count).contains(first.tornBytes), "what is torn is a part of the file")
      // Without an entry it is as an empty one.
      guard first.tornBytes < content.count else { return }
      var journal = try BatchJournal(directory: directory)
      expect(journal.tornBytes == 0 && isSame(journal, first), "the list is read as it is written")
      let to = LogPosition(segment: journal.end.segment, offset: 1 << 30)
      let batch: BatchJournal.Batch
      do {
        batch = try journal.begin(to: to, answers: [:], left: [journal.end])
      } catch let error as SystemError where error.code == EOVERFLOW {
        return
      }
      // Who opens the list writes it anew: from here on it is this one's.
      var begun = try BatchJournal(directory: directory)
      expect(begun.open.last == batch && begun.end == to, "what begins is open, whatever was said before it did")
      expect(begun.waiting.contains(batch.from) && isSame(begun, journal), "what it leaves waits")
      try begun.confirm(batch.number)
      let confirmed = try BatchJournal(directory: directory)
      expect(!confirmed.open.contains(batch) && isSame(confirmed, begun), "what is confirmed is over")
    }
  }

  private static func entries(_ lines: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    lines.split(separator: UInt8(ascii: "\n")).flatMap { line -> [UInt8] in
      let payload = UnsafeRawBufferPointer(rebasing: line)
      let head = [UInt32(payload.count).littleEndian, CRC32C.checksum(of: payload).littleEndian]
      return head.withUnsafeBytes { Array($0) } + Array(payload)
    }
  }

  private static func isSame(_ one: BatchJournal, _ other: BatchJournal) -> Bool {
    one.open == other.open && one.waiting == other.waiting && one.position == other.position && one.end == other.end
  }

  private static func inDirectory(
    _ expect: (Bool, String) -> Void, _ body: (LogDirectory) throws -> Void
  ) {
    let place = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    do {
      try body(LogDirectory(path: place.path))
    } catch {
      expect(false, "what can be opened can be read and gone on with: \(error)")
    }
  }
}
