import AutoMobileState
import GRDB

extension StateMove {
  /// Has the data directory know where its state is, and takes out of its file what is there now: but for copies of what the index reads
  /// beside its own rows, and what is this collector's own. From then on a collector starts on it with that state only.
  ///
  /// - Throws: ``CollectorError`` when something differs: nothing is taken out then.
  package func settle() throws {
    guard try settled() == nil else { return }
    if let first = try check(most: 1).first {
      throw CollectorError.stateUnusable(
        reason: "what was moved to \(target.place) is not what is in the data directory: \(first)")
    }
    let identity: String? = try target.readNow { try $0.value("SELECT issuer FROM configuration_store") }
    let place = target.place
    try store.pool.write { database in
      try database.execute(
        sql: """
          INSERT INTO state_place VALUES (1, ?1, ?2);
          -- Where each index has its own.
          INSERT INTO alert_cursor(rule, since, cursor) SELECT id, since, cursor FROM alert_rule WHERE true
          ON CONFLICT (rule) DO NOTHING;
          """, arguments: [place, identity])
      for table in MovedTable.all where !Self.staying.contains(table.name) {
        let rows = table.condition.map { " WHERE \($0.text)" } ?? ""
        try database.execute(sql: "DELETE FROM \(table.name)\(rows)")
      }
    }
  }

  /// Copies, and what is kept twice; see ``CopiedTable`` and ``BlobMark``.
  private static let staying: Set<String> = [
    "project", "issue_state", "issue_note", "issue_merge", "forwarder", "forwarder_lane", "erased_name", "blob_place",
  ]

  /// Where the state is since, nil: in the directory.
  func settled() throws -> (place: String, identity: String)? {
    try store.pool.read { database in
      try Row.fetchOne(database, sql: "SELECT place, identity FROM state_place").map { ($0[0], $0[1]) }
    }
  }
}
