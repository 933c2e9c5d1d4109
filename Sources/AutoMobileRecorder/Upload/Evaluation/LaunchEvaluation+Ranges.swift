import AutoMobileJournal

/// What the marks of a launch come to: what is to be sent, and what is not to be removed.
extension LaunchEvaluation {
  /// The ranges of the marks of a priority that have been looked at, disjoint and sorted.
  func ranges(priority: Int) -> [Range<UInt64>] { ranges(until: looked(priority)) { $0.priority == priority } }

  /// How far anybody has looked for marks of a priority.
  private func looked(_ priority: Int) -> UInt64 {
    priority >= UploadMark.highestPriority ? note.counted : note.evaluated
  }

  /// What is not to be removed.
  var wanted: [Range<UInt64>] {
    let marked = ranges(until: .max) { _ in true }
    // Nobody knows yet what there is.
    // bounded: no position is greater than the greatest.
    return isStalled ? JoinedRanges.joined(marked + [note.evaluated..<UInt64.max]) : marked
  }

  private func ranges(until last: UInt64, _ isMeant: (UploadMark) -> Bool) -> [Range<UInt64>] {
    JoinedRanges.joined(
      note.marks.compactMap { mark in
        let end = min(mark.to ?? .max, last)
        // bounded: compared just before.
        return isMeant(mark) && mark.from < end ? mark.from..<end : nil
      })
  }

  var priorities: Set<Int> { Set(note.marks.map(\.priority)) }

  /// Everything in the marks of a priority has been sent: forgets those that do not go on.
  func sent(priority: Int) {
    let (before, looked) = (note.marks.count, looked(priority))
    note.marks.removeAll { mark in
      guard mark.priority == priority, let to = mark.to else { return false }
      return to <= looked || to == .max && !isOwn && !isStalled
    }
    guard note.marks.count != before else { return }
    note.bare = JoinedRanges.difference(
      note.bare, JoinedRanges.difference(note.bare, ranges(until: .max) { _ in true }))
    isChanged = true
  }

  // MARK: Bodies

  /// Of some ranges, disjoint and sorted, what goes without bodies.
  func bare(in ranges: [Range<UInt64>]) -> [Range<UInt64>] {
    guard note.marks.contains(where: { !$0.bodies }) else { return [] }
    let wanted = JoinedRanges.difference(self.ranges(until: .max) { $0.bodies }, note.bare)
    return JoinedRanges.difference(ranges, wanted)
  }

  /// What of that goes now is not to go in another way later.
  func keepBare(_ bare: [Range<UInt64>], from: UInt64, to: UInt64) {
    let going = bare.compactMap { range in
      let (start, end) = (max(range.lowerBound, from), min(range.upperBound, to))
      // bounded: compared just before.
      return start < end ? start..<end : nil
    }
    let kept = JoinedRanges.joined(note.bare + going)
    guard kept != note.bare else { return }
    note.bare = kept
    isChanged = true
  }
}
