import Foundation
import GRDB

extension SessionMatches {
  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [SessionRow], hasFullText: Bool, patience: Double, _ database: Database) throws {
    guard !isEmpty, !rows.isEmpty else { return }
    var found: [Int64: SearchMatch] = [:]
    if !texts.isEmpty {
      _ = try TimeLimit.run(patience, in: database) { try find(rows, &found, hasFullText, database) }
    }
    _ = try TimeLimit.run(patience, in: database) {
      for moment in moments {
        let rest = rows.filter { found[$0.row] == nil && moment.isSought(in: $0) }
        if !rest.isEmpty { try moment.find(in: rest.map(\.row), &found, database) }
      }
    }
    for index in rows.indices { rows[index].match = found[rows[index].row] }
  }

  private func find(
    _ rows: [SessionRow], _ found: inout [Int64: SearchMatch], _ hasFullText: Bool, _ database: Database
  ) throws {
    for (wanted, rows) in groups(of: rows) {
      for attempt in attempts(wanted) {
        let rest = rows.map(\.row).filter { found[$0] == nil }
        guard !rest.isEmpty else { break }
        let others = attempt.others.isEmpty ? nil : SearchCondition.all(attempt.others.map(Self.condition))
        try find(attempt.wanted, others, in: rest, &found, hasFullText, database)
      }
    }
  }

  private static func condition(_ other: Other) -> SearchCondition {
    func type(_ condition: SearchCondition) -> SearchCondition {
      condition.inside("event.type IN (SELECT id FROM event_type WHERE ")
    }
    return switch other {
    case .isRequest: type(SearchCondition("name = 'network_request'"))
    case .saysSomething:
      type(SearchCondition("name IN (\(SessionTerms.saying.map { "'\($0)'" }.joined(separator: ",")))"))
    case .type(let values): type(.any(values.map { .name("name", $0, after: "_") }))
    case .status(let values):
      SearchCondition.any(values.map { .status("network.status", $0, unfinished: NetworkRow.unfinished) })
        .inside("EXISTS (SELECT 1 FROM network WHERE network.event = event.id AND ")
    }
  }

  /// Of each session the first error with these words, or the first event.
  private func find(
    _ wanted: [String], _ others: SearchCondition?, in sessions: [Int64], _ found: inout [Int64: SearchMatch],
    _ hasFullText: Bool, _ database: Database
  ) throws {
    guard let pattern = SearchPattern(wanted.joined(separator: " ")) else { return }
    let first = "MIN((event.severity < 4) * 4611686018427387904 + event.id) & 4611686018427387903"
    var condition: SearchCondition
    if hasFullText {
      guard let words = pattern.fullText(wholeWords: isWholeWords ? Set(pattern.words) : []) else { return }
      condition = SearchCondition(
        """
        (SELECT rowid AS hit FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(SessionTerms.hits)) AS found
        CROSS JOIN event ON event.id = found.hit WHERE 1
        """, [words])
    } else {
      condition = SearchCondition.all(wanted.map { EventValues.condition("event.payload", $0) })
        .inside("event WHERE event.id > (SELECT id FROM newest_event) - \(SessionTerms.hits) AND (")
    }
    if let others { condition = others.inside("\(condition.sql) AND (", first: condition.arguments) }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT found.session, event.timestamp, event_type.name, event.payload, event.id FROM
          (SELECT event.session, \(first) AS first FROM \(condition.sql)
            AND event.session IN (SELECT value FROM json_each(?)) GROUP BY event.session) AS found
        CROSS JOIN event ON event.id = found.first JOIN event_type ON event_type.id = event.type
        """, arguments: condition.arguments + ["\(sessions)"])
    for row in rows {
      found[row[0]] = try row.withUnsafeData(atIndex: 3) { data in
        func match(_ payload: UnsafeRawBufferPointer?) -> SearchMatch {
          SearchMatch(
            event: row[4], timestamp: row[1], type: row[2], with: pattern.words + wanted, in: payload)
        }
        return data.map { $0.withUnsafeBytes(match) } ?? match(nil)
      }
    }
  }
}
