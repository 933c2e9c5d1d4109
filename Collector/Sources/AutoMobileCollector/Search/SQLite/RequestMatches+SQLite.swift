import Foundation
import GRDB

extension RequestMatches {
  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [NetworkRow], _ database: Database) throws {
    guard !isEmpty else { return }
    let found = try TimeLimit.run(TimeLimit.patience, in: database) {
      try rows.prefix(Self.most).map { row in
        let rest = rest(of: row)
        return try rest.isEmpty ? nil : match(row, rest, database)
      }
    }
    for (index, match) in (found ?? []).enumerated() { rows[index].match = match }
  }

  private func match(_ row: NetworkRow, _ rest: [String], _ database: Database) throws -> SearchMatch? {
    let payload = try Data.fetchOne(
      database.cachedStatement(sql: "SELECT payload FROM event WHERE id = ?"), arguments: [row.event])
    return try match(row, rest, payload: payload) {
      try Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT appVersion, \(SessionSelection.device), \(SessionSelection.system), tags, sessionId
            FROM session WHERE sessionId = ?
            """), arguments: [row.sessionId]
      ).map { Session(version: $0[0], device: $0[1], system: $0[2], tags: $0[3], name: $0[4]) }
    }
  }
}
