import NIOCore

/// Counts the events in a trace as it comes, for a progress bar and for what is said at the end.
///
/// The collector writes each record on a line, and begins that of an event with its category; a line break stands nowhere else.
struct TraceCount {
  private(set) var events = 0
  /// The last line has come.
  private(set) var isWhole = false
  /// How much of a line's beginning was as that of an event; nil: it is another line.
  private var matched: Int? = 0

  private static let beginning = Array("{\"cat\":".utf8)
  private static let end = UInt8(ascii: "]")

  mutating func add(_ piece: ByteBuffer) {
    piece.withUnsafeReadableBytes { bytes in
      for byte in bytes {
        if byte == UInt8(ascii: "\n") {
          matched = 0
        } else if let count = matched {
          isWhole = isWhole || (count == 0 && byte == Self.end)
          // The comma between two stands in front of the second.
          if count == 0, byte == UInt8(ascii: ",") { continue }
          matched = byte == Self.beginning[count] ? count + 1 : nil
          if matched == Self.beginning.count {
            events += 1
            matched = nil
          }
        }
      }
    }
  }
}
