import Foundation

@testable import AutoMobileJournal

/// What bytes from disk go through. Each target calls one parser and then checks what it promised; a broken promise ends
/// the process, which is how libFuzzer is told.
enum FuzzTarget: String, CaseIterable {
  case segment, ledger, name

  func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .segment: Self.segment(bytes)
    case .ledger: Self.ledger(bytes)
    case .name: Self.name(bytes)
    }
  }

  private static let launch = LaunchID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))

  /// The first byte says whether checksums are put right, which a fuzzer cannot guess; the rest is a record area.
  private static func segment(_ bytes: UnsafeRawBufferPointer) {
    guard let mode = bytes.first else { return }
    var area = Array(bytes.dropFirst())
    let base: UInt64 = 1 << 20
    if mode & 1 == 1 { mend(&area, base) }
    area.withUnsafeBytes { area in
      for writers in [SegmentWalker.Writers.gone, .waitedFor, .passedOver] {
        var walker = SegmentWalker(
          codec: RecordCodec(launch: launch), bytes: area, base: base, from: 0, writers: writers)
        var end = 0
        walking: while true {
          let range: Range<Int>
          switch walker.next() {
          case .end, .unpublished: break walking
          case .torn(let passed, _), .damaged(let passed, _): range = passed
          case .record(_, let position, let payload):
            expect(position == base + UInt64(payload.lowerBound - RecordHeader.size), "a record is where it says")
            range = payload.lowerBound - RecordHeader.size..<payload.upperBound
          }
          expect(range.lowerBound >= end && range.upperBound > range.lowerBound, "it goes forward")
          expect(range.upperBound <= area.count, "it stays inside")
          end = range.upperBound
        }
      }
    }
  }

  private static func mend(_ area: inout [UInt8], _ base: UInt64) {
    let codec = RecordCodec(launch: launch)
    var offset = 0
    while offset <= area.count - RecordHeader.size {
      let word = area.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
      guard let (state, _, length) = RecordHeader.parse(word: word), state == .published,
        offset + RecordHeader.stride(payload: length) <= area.count
      else {
        offset += 8
        continue
      }
      let position = base + UInt64(offset)
      let payload = offset + RecordHeader.size..<offset + RecordHeader.size + length
      area.withUnsafeMutableBytes { raw in
        let crc = codec.checksum(
          word: word, position: position, payload: UnsafeRawBufferPointer(rebasing: raw[payload]))
        raw.storeBytes(of: crc, toByteOffset: offset + 4, as: UInt32.self)
        raw.storeBytes(of: position, toByteOffset: offset + 8, as: UInt64.self)
      }
      offset += RecordHeader.stride(payload: length)
    }
  }

  private static func ledger(_ bytes: UnsafeRawBufferPointer) {
    var image = Array(bytes.prefix(LedgerFile.size))
    image.append(contentsOf: repeatElement(0, count: LedgerFile.size - image.count))
    let counts = image.withUnsafeMutableBytes { $0.baseAddress.map(WriterCounts.init(ledger:)) ?? WriterCounts() }
    let account = Account(bytes) ?? Account()
    for isResolved in [false, true] {
      let ledger = LaunchLedger(writers: counts, account: account, isResolved: isResolved)
      let dropped = ledger.dropped.values.reduce(UInt64(0)) { $0.adding(saturating: $1) }
      expect(ledger.recorded >= dropped, "not more is lost than was recorded")
    }
    if let identity = FileIdentity(bytes, role: .ledger) {
      expect(identity.encoded.elementsEqual(bytes.prefix(92)) || identity.encoded.count == 128, "it is written alike")
    }
  }

  private static func name(_ bytes: UnsafeRawBufferPointer) {
    guard let name = JournalFileName(String(decoding: bytes, as: UTF8.self)) else { return }
    expect(JournalFileName(name.text) == name, "a name is read as it is written")
    expect(!name.text.contains("/"), "a name stays in its directory")
  }

  private static func expect(_ promise: Bool, _ what: String) {
    if !promise { fatalError("broken: \(what)") }
  }
}
