import Foundation
import GRDB

/// Says of sessions that were found by what happened in them which event it was.
struct SessionMatches {
  private let texts: [String]
  private let hasFullText: Bool
  private let isWholeWords: Bool
  /// Different sets of words that are looked for in events, for one page.
  private static let most = 4
  /// Of one event's payload.
  private static let depth = 64

  init(_ query: SearchQuery, hasFullText: Bool) {
    texts = Array(
      query.terms.filter { !$0.isNegated }.flatMap { term -> [String] in
        switch term.subject {
        case .word(let text), .phrase(let text): return [text]
        case .field(let field, let values):
          guard ["url", "message"].contains(field.name) else { return [] }
          return values.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
        }
      }.prefix(8))
    self.hasFullText = hasFullText
    isWholeWords = query.isWholeWords
  }

  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [SessionRow], _ database: Database) throws {
    guard !texts.isEmpty, !rows.isEmpty else { return }
    var found: [Int64: SearchMatch] = [:]
    _ = try TimeLimit.run(TimeLimit.patience, in: database) { try find(rows, &found, database) }
    for index in rows.indices { rows[index].match = found[rows[index].row] }
  }

  private func find(_ rows: [SessionRow], _ found: inout [Int64: SearchMatch], _ database: Database) throws {
    // What a row says itself is not looked for in its events.
    let groups = Dictionary(grouping: rows) { row in
      texts.filter { !row.known.localizedStandardContains($0) }
    }
    let largest = groups.filter { !$0.key.isEmpty }.sorted { $0.value.count > $1.value.count }.prefix(Self.most)
    for (wanted, rows) in largest {
      try find(wanted, in: rows.map(\.row), &found, database)
      // No event has them all: then one that has the first.
      let rest = rows.map(\.row).filter { found[$0] == nil }
      if !rest.isEmpty, wanted.count > 1 { try find([wanted[0]], in: rest, &found, database) }
    }
  }

  /// Of each session the first error with these words, or the first event.
  private func find(
    _ wanted: [String], in sessions: [Int64], _ found: inout [Int64: SearchMatch], _ database: Database
  ) throws {
    guard let pattern = SearchPattern(wanted.joined(separator: " ")) else { return }
    let first = "MIN((event.severity < 4) * 4611686018427387904 + event.id) & 4611686018427387903"
    let condition: SearchCondition
    if hasFullText {
      guard let words = pattern.fullText(wholeWords: isWholeWords ? Set(pattern.words) : []) else { return }
      condition = SearchCondition(
        """
        (SELECT rowid AS hit FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(SessionTerms.hits)) AS found
        CROSS JOIN event ON event.id = found.hit WHERE 1
        """, [words])
    } else {
      condition = SearchCondition.all(wanted.map { .part("CAST(event.payload AS TEXT)", $0) })
        .inside("event WHERE event.id > (SELECT MAX(id) FROM event) - \(SessionTerms.hits) AND (")
    }
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT found.session, event.timestamp, event_type.name, event.payload, event.id FROM
          (SELECT event.session, \(first) AS first FROM \(condition.sql)
            AND event.session IN (SELECT value FROM json_each(?)) GROUP BY event.session) AS found
        CROSS JOIN event ON event.id = found.first JOIN event_type ON event_type.id = event.type
        """, arguments: condition.arguments + ["\(sessions)"])
    for row in rows {
      let snippet = try row.withUnsafeData(atIndex: 3) { data in
        data?.withUnsafeBytes { SearchMatch.snippet(pattern.words + wanted, in: $0, maximumDepth: Self.depth) }
      }
      found[row[0]] = SearchMatch(
        event: row[4], timestamp: row[1], type: row[2], field: snippet?.field ?? "", text: snippet?.text ?? "")
    }
  }
}

extension SessionRow {
  /// What a list shows of it.
  fileprivate var known: String {
    [sessionId, userId, bundleId, appVersion, tags, device, lastScreen].compactMap { $0 }.joined(separator: "\n")
  }
}
