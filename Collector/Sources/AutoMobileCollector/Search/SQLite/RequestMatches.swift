import Foundation
import GRDB

/// Says of requests what was found, where the rows themselves do not show it.
struct RequestMatches {
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
    let snippet =
      try payload?.withUnsafeBytes { SearchMatch.snippet(rest, in: $0, maximumDepth: 64) }
      ?? session(row, rest, database)
    return snippet.map {
      SearchMatch(
        event: row.event, timestamp: row.timestamp, type: "network_request", field: $0.field, text: $0.text)
    }
  }

  /// What of its session was found.
  private func session(
    _ row: NetworkRow, _ rest: [String], _ database: Database
  ) throws -> (field: String, text: String)? {
    let session = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT appVersion, \(SessionSelection.device), \(SessionSelection.system), tags, sessionId
          FROM session WHERE sessionId = ?
          """), arguments: [row.sessionId])
    guard let session else { return nil }
    for (index, field) in ["version", "device", "os", "tags", "session"].enumerated() {
      guard let text: String = session[index], rest.contains(where: { text.localizedStandardContains($0) }) else {
        continue
      }
      return (field, SearchMatch.line(text))
    }
    return nil
  }
}

extension NetworkRow {
  /// What a list shows of it.
  fileprivate var known: String {
    [method, host, path, query, status.map(String.init), error, tracer, mock, operation, userId, bundleId]
      .compactMap { $0 }.joined(separator: "\n")
  }
}
