/// Which positions of a launch a batch has: runs of records that follow each other in the journal. A batch that was read ahead is
/// made of pieces, and what lies between these is not in it.
struct PositionRuns: Sendable, Equatable {
  /// What is more is not told apart: of such a batch nobody says that it has been here.
  static let most = 64

  /// From a record's position to where the one behind the last begins; ascending, with gaps between.
  private(set) var ranges: [Range<UInt64>] = []
  private(set) var isComplete = true

  /// - Parameters:
  ///   - position: behind all that were added before.
  ///   - end: where the next record begins.
  mutating func add(_ position: UInt64, to end: UInt64) {
    guard isComplete else { return }
    if let last = ranges.last, last.upperBound == position {
      ranges[ranges.count - 1] = last.lowerBound..<end
    } else if ranges.count < Self.most {
      ranges.append(position..<end)
    } else {
      (ranges, isComplete) = ([], false)
    }
  }
}
