import AutoMobileJournal

/// What the marks of a launch come to: what is to be sent, and what is not to be removed.
extension LaunchEvaluation {
  /// The ranges of the marks of a priority that have been looked at, disjoint and sorted.
  func ranges(priority: Int) -> [Range<UInt64>] { ranges(until: note.evaluated) { $0.priority == priority } }

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
    let (before, evaluated) = (note.marks.count, note.evaluated)
    note.marks.removeAll { mark in
      guard mark.priority == priority, let to = mark.to else { return false }
      return to <= evaluated || to == .max && !isOwn && !isStalled
    }
    if note.marks.count != before { isChanged = true }
  }
}
