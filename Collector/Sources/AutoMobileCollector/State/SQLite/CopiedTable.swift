import AutoMobileState

/// A table of a state elsewhere of which the index has a copy. Its first column is its key.
struct CopiedTable: Sendable {
  let all: StateSQL
  let put: StateSQL
  let remove: StateSQL

  static let issueStates = CopiedTable(
    all: "SELECT name, status, version, changedAt, changedBy, regressedAt, regressedIn FROM issue_state",
    put: """
      INSERT INTO issue_state(name, status, version, changedAt, changedBy, regressedAt, regressedIn)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name) DO UPDATE
      SET status = ?2, version = ?3, changedAt = ?4, changedBy = ?5, regressedAt = ?6, regressedIn = ?7
      """, remove: "DELETE FROM issue_state WHERE name = ?1")
  static let issueNotes = CopiedTable(
    all: "SELECT name, assignee, link FROM issue_note",
    put: """
      INSERT INTO issue_note(name, assignee, link) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE
      SET assignee = ?2, link = ?3
      """, remove: "DELETE FROM issue_note WHERE name = ?1")
  static let issueMerges = CopiedTable(
    all: "SELECT name, cause, culprit, message, file, line, template, target FROM issue_merge",
    put: """
      INSERT INTO issue_merge(name, cause, culprit, message, file, line, template, target)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (name) DO UPDATE
      SET cause = ?2, culprit = ?3, message = ?4, file = ?5, line = ?6, template = ?7, target = ?8
      """, remove: "DELETE FROM issue_merge WHERE name = ?1")
  static let projects = CopiedTable(
    all: "SELECT id, name, bundleId, createdAt, createdBy FROM project",
    put: """
      INSERT INTO project(id, name, bundleId, createdAt, createdBy) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (id) DO UPDATE
      SET name = ?2, bundleId = ?3, createdAt = ?4, createdBy = ?5
      """, remove: "DELETE FROM project WHERE id = ?1")
  static let forwarders = CopiedTable(
    all: "SELECT id, name, settings, changedAt, changedBy, fromBeginning FROM forwarder",
    put: """
      INSERT INTO forwarder(id, name, settings, changedAt, changedBy, fromBeginning) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (id) DO UPDATE SET name = ?2, settings = ?3, changedAt = ?4, changedBy = ?5, fromBeginning = ?6
      """, remove: "DELETE FROM forwarder WHERE id = ?1")

  static let erasedNames = CopiedTable(
    all: "SELECT hash, secret, at, ends FROM erased_name",
    put: """
      INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (hash) DO UPDATE
      SET secret = ?2, at = ?3, ends = ?4
      """, remove: "DELETE FROM erased_name WHERE hash = ?1")

  /// By their keys.
  func rows(in state: borrowing StateReading) throws -> [StateValue: StateRow] {
    Dictionary(try state.rows(all).map { ($0.values[0], $0) }) { $1 }
  }

  /// Has the copy be as `new`; writes what is different only.
  func follow(_ new: [StateValue: StateRow], in copy: borrowing StateWriting) throws {
    let old = try rows(in: copy.reading)
    // First: what is put in may have what is unique of what is taken out.
    for key in old.keys where new[key] == nil { _ = try copy.rows(remove, values: [key]) }
    for (key, row) in new where old[key] != row { _ = try copy.rows(put, values: row.values) }
  }
}
