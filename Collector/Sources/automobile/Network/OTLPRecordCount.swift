import AutoMobileCollector
import NIOCore

/// Counts the records in OTLP as it comes, for a progress bar and for what is said at the end.
struct OTLPRecordCount {
  private(set) var records = 0
  private let isJSON: Bool
  private let signal: WireCount.Signal
  /// What is not whole yet: a line, or a group of records.
  private var open = ByteBuffer()

  init(isJSON: Bool, signal: WireCount.Signal) {
    self.isJSON = isJSON
    self.signal = signal
  }

  mutating func add(_ piece: ByteBuffer) {
    var piece = piece
    open.writeBuffer(&piece)
    while let whole = isJSON ? line() : group() { records += count(whole) }
    open.discardReadBytes()
  }

  private mutating func line() -> ByteBuffer? {
    guard let end = open.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    return open.readSlice(length: end + 1 - open.readerIndex)
  }

  /// A message's only field, as often as it stands there: its tag, its length, and so many bytes.
  private mutating func group() -> ByteBuffer? {
    var length = 0
    var size = 0
    for byte in open.readableBytesView.dropFirst().prefix(9) {
      length |= Int(byte & 0x7F) << (7 * size)
      size += 1
      guard byte < 0x80 else { continue }
      let whole = 1 + size + length
      return open.readableBytes >= whole ? open.readSlice(length: whole) : nil
    }
    return nil
  }

  /// In what the collector has written, the name of a record's time stands nowhere else: a quote within a text has a backslash before it.
  private func count(_ whole: ByteBuffer) -> Int {
    whole.withUnsafeReadableBytes { bytes in
      guard isJSON else { return (try? WireCount(protobuf: bytes, signal).records) ?? 0 }
      let name = Array((signal == .logs ? "\"observedTimeUnixNano\":" : "\"startTimeUnixNano\":").utf8)
      var found = 0
      var offset = 0
      while offset + name.count <= bytes.count {
        if bytes[offset] == UInt8(ascii: "\""), bytes[offset..<offset + name.count].elementsEqual(name) {
          found += 1
          offset += name.count
        } else {
          offset += 1
        }
      }
      return found
    }
  }
}
