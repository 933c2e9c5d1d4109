/// What was sent ahead of the cursor in one go, as it stands in a keeping file: counts and ranges in one record, so that a killed
/// process has written down both or neither.
///
/// | offset | bytes | what |
/// |---|---|---|
/// | 0 | 8 | events that count as delivered |
/// | 8 | 8 | events that count as rejected |
/// | 16 | 16 each | ranges of positions: the first, and the one after the last |
struct SentRecord: Equatable, Sendable {
  var counts = AheadCounts()
  var ranges: [Range<UInt64>] = []

  init(counts: AheadCounts = AheadCounts(), ranges: [Range<UInt64>] = []) {
    self.counts = counts
    self.ranges = ranges
  }

  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + ranges.count * 16)
    func append(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    append(counts.delivered)
    append(counts.rejected)
    for range in ranges {
      append(range.lowerBound)
      append(range.upperBound)
    }
    return bytes
  }

  /// Nil when these bytes are none: of another length, or with a range that ends before it begins.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= 16, bytes.count % 16 == 0 else { return nil }
    func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
    counts = AheadCounts(delivered: word(0), rejected: word(8))
    for offset in stride(from: 16, to: bytes.count, by: 16) {
      let (low, high) = (word(offset), word(offset + 8))
      guard low < high else { return nil }
      // bounded: compared just before.
      ranges.append(low..<high)
    }
  }
}
