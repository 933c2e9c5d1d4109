import Foundation
import GRDB

/// Says of requests and issues what was found, where the rows themselves do not show it.
struct RowMatches {
  private let texts: [String]
  /// Events that are read for one page.
  private static let most = 200

  init(_ query: SearchQuery) {
    texts = Array(
      query.terms.filter { !$0.isNegated }.compactMap { term in
        switch term.subject {
        case .word(let text), .phrase(let text): text
        case .field: nil
        }
      }.prefix(8))
  }

  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [NetworkRow], _ database: Database) throws {
    guard !texts.isEmpty else { return }
    let found = try TimeLimit.run(TimeLimit.patience, in: database) {
      try rows.prefix(Self.most).map { row in
        let rest = texts.filter { !row.known.localizedStandardContains($0) }
        return try rest.isEmpty ? nil : match(row, rest, database)
      }
    }
    for (index, match) in (found ?? []).enumerated() { rows[index].match = match }
  }

  private func match(_ row: NetworkRow, _ rest: [String], _ database: Database) throws -> SearchMatch? {
    let payload = try Data.fetchOne(
      database.cachedStatement(sql: "SELECT payload FROM event WHERE id = ?"), arguments: [row.event])
    let snippet = payload?.withUnsafeBytes { SearchMatch.snippet(rest, in: $0, maximumDepth: 64) }
    return snippet.map {
      SearchMatch(
        event: row.event, timestamp: row.timestamp, type: "network_request", field: $0.field, text: $0.text)
    }
  }

  func add(to rows: inout [IssueRow], _ database: Database) throws {
    guard !texts.isEmpty else { return }
    let found = try TimeLimit.run(TimeLimit.patience, in: database) {
      try rows.map { row in
        let rest = texts.filter { !row.known.localizedStandardContains($0) }
        return try rest.first.flatMap { try match(row, $0, database) }
      }
    }
    for (index, match) in (found ?? []).enumerated() { rows[index].match = match }
  }

  private func match(_ row: IssueRow, _ text: String, _ database: Database) throws -> SearchMatch? {
    func found(_ field: String, _ text: String) -> SearchMatch {
      SearchMatch(event: row.sample ?? 0, timestamp: row.last ?? 0, type: row.kind, field: field, text: text)
    }
    for (column, name) in [("messages", "message"), ("functions", "function")] {
      let lines = try String.fetchOne(
        database.cachedStatement(sql: "SELECT \(column) FROM issue_text WHERE issue = ?"), arguments: [row.row])
      if let line = lines?.split(separator: "\n").first(where: { $0.localizedStandardContains(text) }) {
        return found(name, String(line.prefix(200)))
      }
    }
    let user = SearchCondition.part("session.userId", text)
    return try String.fetchOne(
      database,
      sql: """
        SELECT session.userId FROM issue_session JOIN session ON session.id = issue_session.session
        WHERE issue_session.issue = ? AND \(user.sql) LIMIT 1
        """, arguments: [row.row] + user.arguments
    ).map { found("user", $0) }
  }
}

extension NetworkRow {
  /// What a list shows of it.
  fileprivate var known: String {
    [method, host, path, query, status.map(String.init), error, tracer, mock, operation, userId, bundleId]
      .compactMap { $0 }.joined(separator: "\n")
  }
}

extension IssueRow {
  /// What a list shows of it.
  fileprivate var known: String {
    [kind, cause, culprit, message, file, bundleId].compactMap { $0 }.joined(separator: "\n")
      + versions.map { "\n" + $0.version }.joined()
  }
}
