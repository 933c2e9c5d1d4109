import AutoMobileJournal

/// Where marks begin and end, and how many there may be.
extension LaunchEvaluation {
  /// As many marks wait as may: what rules and asks would add comes later.
  var isFull: Bool { note.marks.count >= UploadKeeper.mostMarks }
  /// Nor may more of those wait that go whatever the rules say.
  var isCrammed: Bool { note.marks.count >= UploadKeeper.mostMarksInAll }

  /// A mark begins there.
  func begin(mark index: Int, at position: UInt64) {
    guard note.marks.indices.contains(index) else { return }
    note.marks[index].from = min(position, note.marks[index].from)
  }

  func endMarks(at position: UInt64, _ timestamp: Int64) {
    for index in note.marks.indices where note.marks[index].to == nil {
      guard let until = note.marks[index].until, timestamp > until else { continue }
      note.marks[index].to = position
      isChanged = true
    }
  }

  /// Marks what another launch tells about this one.
  func add(_ mark: UploadMark) {
    if let same = note.marks.firstIndex(where: {
      $0.name == mark.name && $0.to == mark.to && $0.bodies == mark.bodies
    }) {
      note.marks[same].from = min(note.marks[same].from, mark.from)
    } else {
      note.marks.append(mark)
    }
    isChanged = true
  }

  /// The launch is over: what has been looked at to its end does not go on.
  func end() {
    if !isStalled {
      for index in note.marks.indices where note.marks[index].to == nil {
        note.marks[index].to = .max
        isChanged = true
      }
    }
    if isCountedToEnd, let last = note.sessions.indices.last, !note.sessions[last].hasEnded {
      note.sessions[last].hasEnded = true
      isChanged = true
    }
  }
}
