import Foundation
import Testing

@testable import AutoMobileJournal

@Suite struct SentRangesTests {
  /// Everything against a set of positions, one by one.
  @Test func `ranges say the same as a set of positions`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var ranges = SentRanges()
      var model: Set<UInt64> = []
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let start = UInt64.random(in: 0..<200, using: &random)
        let range = start..<start + UInt64.random(in: 0..<12, using: &random)
        ranges.insert(range)
        model.formUnion(range)
      }
      for position in UInt64(0)..<220 { #expect(ranges.contains(position) == model.contains(position)) }
      #expect(ranges.ranges.allSatisfy { !$0.isEmpty })
      #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      let wanted: [Range<UInt64>] = [3..<40, 60..<61, 80..<180]
      let missing = ranges.missing(of: wanted)
      #expect(Set(missing.flatMap { Array($0) }) == Set(wanted.flatMap { Array($0) }).subtracting(model))
      #expect(missing.allSatisfy { !$0.isEmpty })
    }
  }

  @Test func `a record of what was sent is read as it was written, and no other bytes are one`() {
    let record = SentRecord(counts: AheadCounts(delivered: 7, rejected: 2), ranges: [8..<64, 4096..<(1 << 40)])
    #expect(record.encoded.withUnsafeBytes { SentRecord($0) } == record)
    for count in [0, 8, 15, 17, 31] {
      #expect([UInt8](repeating: 1, count: count).withUnsafeBytes { SentRecord($0) } == nil)
    }
    let reversed =
      SentRecord(ranges: [1..<2]).encoded[..<16] + [UInt8](repeating: 9, count: 8) + [UInt8](repeating: 0, count: 8)
    #expect(Array(reversed).withUnsafeBytes { SentRecord($0) } == nil)
  }
}
