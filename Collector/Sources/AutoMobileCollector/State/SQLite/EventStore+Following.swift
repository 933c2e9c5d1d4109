import AutoMobileState
import GRDB

/// One at a time, and what is read from the state is read with the lock held: what is older never replaces what is newer.
extension EventStore {
  // MARK: After a change of one's own

  /// Has the index show what was decided about issues, before whoever decided it is answered.
  func followIssues() async throws {
    guard sharesState else { return }
    try await offLoop { try pullIssues() }
  }

  /// The same about one that was neither merged nor taken apart.
  func follow(issue name: String) async throws {
    guard sharesState else { return }
    try await offLoop {
      try copying.withLock {
        try tellAll()
        let (states, notes) = try state.readNow { state in
          (
            try state.rows("\(CopiedTable.issueStates.all) WHERE name = ?1", name),
            try state.rows("\(CopiedTable.issueNotes.all) WHERE name = ?1", name)
          )
        }
        try own.writeNow { copy in
          for (table, rows) in [(CopiedTable.issueStates, states), (CopiedTable.issueNotes, notes)] {
            if rows.isEmpty { _ = try copy.rows(table.remove, values: [.text(name)]) }
            for row in rows { _ = try copy.rows(table.put, values: row.values) }
          }
        }
      }
    }
  }

  func followProjects() async throws {
    guard sharesState else { return }
    try await offLoop { try pullProjects() }
  }

  // MARK: All of it

  func pullIssues() throws {
    try copying.withLock {
      // What the index noticed would be taken back for a while.
      try tellAll()
      let (states, notes, merges) = try state.readNow { state in
        (
          try CopiedTable.issueStates.rows(in: state), try CopiedTable.issueNotes.rows(in: state),
          try CopiedTable.issueMerges.rows(in: state)
        )
      }
      try pool.write { database in
        let before = try own.within(database) { copy in
          try CopiedTable.issueStates.follow(states, in: copy)
          try CopiedTable.issueNotes.follow(notes, in: copy)
          return try CopiedTable.issueMerges.rows(in: copy.reading)
        }
        // What was taken apart first: a part may be merged into something else now.
        for (key, old) in before where merges[key]?.values[7] != old.values[7] {
          try IssueMerges.carryOut(splitting: .init(old), from: old[7], in: database)
        }
        try own.within(database) { try CopiedTable.issueMerges.follow(merges, in: $0) }
        // All: this index may have both of what was merged long ago since a moment only.
        for row in merges.values { try IssueMerges.carryOut(merging: row[0], into: row[7], in: database) }
      }
    }
  }

  func pullProjects() throws {
    try copying.withLock {
      let projects = try state.readNow { try CopiedTable.projects.rows(in: $0) }
      try own.writeNow { try CopiedTable.projects.follow(projects, in: $0) }
    }
  }

  /// Each collector sends what is in its index: how far it has come is kept there.
  func pullForwarders() throws {
    try copying.withLock {
      let (forwarders, lanes) = try state.readNow { state in
        (
          try CopiedTable.forwarders.rows(in: state),
          try state.rows("SELECT forwarder, signal, CASE WHEN cursor = 0 THEN 1 ELSE 0 END FROM forwarder_lane")
        )
      }
      try pool.write { database in
        let newest = try ForwardReader.newest(in: database)
        try own.within(database) { copy in
          try CopiedTable.forwarders.follow(forwarders, in: copy)
          try copy.execute("DELETE FROM forwarder_lane WHERE forwarder NOT IN (SELECT id FROM forwarder)")
          for lane in lanes {
            let (forwarder, signal, isFromBeginning): (Int64, String, Bool) = try (lane[0], lane[1], lane[2])
            try copy.execute(
              """
              INSERT INTO forwarder_lane(forwarder, signal, cursor) VALUES (?1, ?2, ?3)
              ON CONFLICT (forwarder, signal) DO NOTHING
              """, forwarder, signal, isFromBeginning ? 0 : newest)
          }
        }
      }
    }
  }

  // MARK: What the index noticed

  /// Tells a state elsewhere, in the order in which it was noticed.
  func tellState() throws {
    guard sharesState else { return }
    try copying.withLock { try tellAll() }
  }

  /// The state first, and then it is forgotten here: after a process that ended between the two it is told again, and nothing changes.
  private func tellAll() throws {
    while let (id, notice) = try pool.read(IssueNotice.next) {
      do {
        try state.writeNow { state in
          if try notice?.apply(in: state) == true { try state.tell(.issues) }
        }
      } catch let error as StateError where !error.isPassing {
        // It would be refused again, and nothing behind it would be told.
      }
      try pool.write { try IssueNotice.forget(id, in: $0) }
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
