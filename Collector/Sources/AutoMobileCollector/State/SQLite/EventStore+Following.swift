import AutoMobileState
import GRDB

/// One at a time, and what is read from the state is read with the lock held: what is older never replaces what is newer.
extension EventStore {
  // MARK: After a change of one's own

  /// Has the index show what was decided about issues, before whoever decided it is answered.
  ///
  /// It is kept by then, whatever becomes of this: where the state cannot be read now, or the index cannot be written, ``StateCopy``, which
  /// is told of the change as others are, does it later.
  func followIssues() async {
    guard sharesState else { return }
    try? await offLoop { try pullIssues() }
  }

  /// The same about one that was neither merged nor taken apart.
  func follow(issue name: String) async {
    guard sharesState else { return }
    try? await offLoop { try pull(issue: name) }
  }

  func followProjects() async {
    guard sharesState else { return }
    try? await offLoop { try pullProjects() }
  }

  // MARK: All of it

  func pullIssues() throws {
    try copying.withLock {
      let (states, notes, merges) = try state.readNow { state in
        (
          try CopiedTable.issueStates.rows(in: state), try CopiedTable.issueNotes.rows(in: state),
          try CopiedTable.issueMerges.rows(in: state)
        )
      }
      try pool.write { database in
        let (before, after) = try own.within(database) { copy in
          let before = try CopiedTable.issueMerges.rows(in: copy.reading)
          try CopiedTable.issueStates.follow(states, in: copy)
          try CopiedTable.issueNotes.follow(notes, in: copy)
          try CopiedTable.issueMerges.follow(merges, in: copy)
          // Who changed what is read from the state; here it would keep what is put on top from being so once more.
          try copy.execute("DELETE FROM issue_change")
          try putOnTop(IssueNotice.waiting(in: database), in: copy)
          return (before, try CopiedTable.issueMerges.rows(in: copy.reading))
        }
        // What was taken apart first: a part may be merged into something else now.
        for (key, old) in before where after[key]?.values[7] != old.values[7] {
          try IssueMerges.carryOut(splitting: .init(old), from: old[7], in: database)
        }
        // All: this index may have both of what was merged long ago since a moment only.
        for row in after.values { try IssueMerges.carryOut(merging: row[0], into: row[7], in: database) }
      }
    }
  }

  private func pull(issue name: String) throws {
    try copying.withLock {
      let (states, notes) = try state.readNow { state in
        (
          try state.rows("\(CopiedTable.issueStates.all) WHERE name = ?1", name),
          try state.rows("\(CopiedTable.issueNotes.all) WHERE name = ?1", name)
        )
      }
      try pool.write { database in
        try own.within(database) { copy in
          for (table, rows) in [(CopiedTable.issueStates, states), (CopiedTable.issueNotes, notes)] {
            if rows.isEmpty { _ = try copy.rows(table.remove, values: [.text(name)]) }
            for row in rows { _ = try copy.rows(table.put, values: row.values) }
          }
          try copy.execute("DELETE FROM issue_change WHERE name = ?1", name)
          try putOnTop(IssueNotice.waiting(in: database), in: copy)
        }
      }
    }
  }

  /// What the index noticed and the state has not been told yet: the copy has it, or it would be taken back for a while.
  private func putOnTop(_ notices: [IssueNotice], in copy: borrowing StateWriting) throws {
    for notice in notices { try notice.apply(in: copy) }
  }

  func pullProjects() throws {
    try copying.withLock {
      let projects = try state.readNow { try CopiedTable.projects.rows(in: $0) }
      try own.writeNow { try CopiedTable.projects.follow(projects, in: $0) }
    }
  }

  /// Each collector sends what is in its index: how far it has come is kept there, and it begins at its own newest event, unless whoever
  /// added the forwarder wished for the beginning. Where the one who added it began says nothing of this index.
  func pullForwarders() throws {
    try copying.withLock {
      let forwarders = try state.readNow { try CopiedTable.forwarders.rows(in: $0) }
      try pool.write { database in
        let newest = try ForwardReader.newest(in: database)
        try own.within(database) { copy in
          try CopiedTable.forwarders.follow(forwarders, in: copy)
          try copy.execute("DELETE FROM forwarder_lane WHERE forwarder NOT IN (SELECT id FROM forwarder)")
          for row in forwarders.values {
            let (forwarder, isFromBeginning): (Int64, Bool) = try (row[0], row[5])
            for signal in ForwardSignal.allCases {
              try copy.execute(
                """
                INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (?1, ?2, ?3)
                ON CONFLICT (forwarder, signal) DO NOTHING
                """, forwarder, signal.rawValue, isFromBeginning ? 0 : newest)
            }
          }
        }
      }
    }
  }

  // MARK: What the index has

  /// Which issues are here that others were merged into, see ``IssueTargets``.
  ///
  /// - Throws: what the state says.
  func tellTargets(at now: Int64) throws {
    let names = try pool.read {
      try String.fetchAll(
        $0, sql: "SELECT DISTINCT target FROM issue_merge JOIN issue ON issue.name = issue_merge.target")
    }
    guard !names.isEmpty else { return }
    try state.writeNow { try IssueTargets.tell(names, at: now, in: $0) }
  }

  // MARK: What the index noticed

  /// Tells a state elsewhere, in the order in which it was noticed. The state first, and then it is forgotten here: after a process that
  /// ended between the two it is told again, and nothing changes.
  ///
  /// - Throws: what the state says. What could not be told waits, and so does what is behind it.
  func tellState() throws {
    guard sharesState else { return }
    try copying.withLock {
      while let (id, notice) = try pool.read(IssueNotice.next) {
        do {
          try state.writeNow { state in
            if try notice?.apply(in: state) == true { try state.tell(.issues) }
          }
          if notice == nil { lostNotices.withLockedValue { $0.append("it cannot be read") } }
        } catch let error as StateError where error.isOfValues {
          // It would be refused again, and nothing behind it would be told.
          lostNotices.withLockedValue { $0.append("\(error)") }
        }
        try pool.write { try IssueNotice.forget(id, in: $0) }
      }
    }
  }
}

extension IssueNotice.IssueName {
  /// A row of ``CopiedTable/issueMerges``.
  init(_ row: StateRow) throws {
    try self.init(
      name: row[0], cause: row[1], culprit: row[2], message: row[3], file: row[4], line: row[5], template: row[6])
  }
}
