import Foundation

/// The fields of a frame record that storage sets.
extension ReplayFrame {
  private static let timestampOffset = 8
  private static let flagsOffset = 16
  private static let droppedOffset = 24
  private static let headerSize = 26
  private static let gapFlag: UInt8 = 2

  /// The same frame with another time, and with the frames counted that storage lost before it.
  func stored(at timestamp: Int64, afterDropping dropped: Int) -> ReplayFrame {
    guard timestamp != self.timestamp || dropped > 0, bytes.count >= Self.headerSize else {
      return ReplayFrame(timestamp: timestamp, isKey: isKey, bytes: bytes)
    }
    var bytes = [UInt8](bytes)
    withUnsafeBytes(of: timestamp.littleEndian) {
      bytes.replaceSubrange(Self.timestampOffset..<Self.timestampOffset + 8, with: $0)
    }
    if dropped > 0 {
      bytes[Self.flagsOffset] |= Self.gapFlag
      let before = Int(bytes[Self.droppedOffset]) | Int(bytes[Self.droppedOffset + 1]) << 8
      let count = UInt16(clamping: before + min(dropped, 0xFFFF))
      bytes[Self.droppedOffset] = UInt8(truncatingIfNeeded: count)
      bytes[Self.droppedOffset + 1] = UInt8(truncatingIfNeeded: count >> 8)
    }
    return ReplayFrame(timestamp: timestamp, isKey: isKey, bytes: Data(bytes))
  }
}
