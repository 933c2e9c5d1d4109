import Foundation
import GRDB

/// Says of sessions that were found by what happened in them which event it was.
struct SessionMatches {
  private let texts: [String]
  /// What else is asked of an event.
  private let others: SearchCondition?
  private let moments: [SessionMoment]
  private let hasFullText: Bool
  private let isWholeWords: Bool
  /// Different sets of words that are looked for in events, for one page.
  private static let most = 4
  /// Of one event's payload.
  static let depth = 64

  init(_ query: SearchQuery, hasFullText: Bool) {
    let terms = query.terms.filter { !$0.isNegated }
    texts = Array(
      terms.flatMap { term -> [String] in
        switch term.subject {
        case .word(let text), .phrase(let text): return [text]
        case .field(let field, let values):
          guard ["url", "message"].contains(field.name) else { return [] }
          return values.compactMap { if case .text(let text, _) = $0 { text } else { nil } }
        }
      }.prefix(8))
    let others = terms.compactMap(Self.condition)
    self.others = others.isEmpty ? nil : .all(others)
    moments = SessionMoment.all(query)
    self.hasFullText = hasFullText
    isWholeWords = query.isWholeWords
  }

  /// What a field says of the event that has the words.
  private static func condition(_ term: SearchTerm) -> SearchCondition? {
    guard case .field(let field, let values) = term.subject else { return nil }
    func type(_ condition: SearchCondition) -> SearchCondition {
      condition.inside("event.type IN (SELECT id FROM event_type WHERE ")
    }
    switch field.name {
    case "url": return type(SearchCondition("name = 'network_request'"))
    case "message":
      return type(SearchCondition("name IN (\(SessionTerms.saying.map { "'\($0)'" }.joined(separator: ",")))"))
    case "type": return type(.any(values.map { .name("name", $0, after: "_") }))
    case "status":
      return SearchCondition.any(values.map { .status("network.status", $0, unfinished: NetworkRow.unfinished) })
        .inside("EXISTS (SELECT 1 FROM network WHERE network.event = event.id AND ")
    default: return nil
    }
  }

  /// As far as there is time: the list itself does not wait for it.
  func add(to rows: inout [SessionRow], _ database: Database) throws {
    guard !texts.isEmpty || !moments.isEmpty, !rows.isEmpty else { return }
    var found: [Int64: SearchMatch] = [:]
    if !texts.isEmpty {
      _ = try TimeLimit.run(TimeLimit.patience, in: database) { try find(rows, &found, database) }
    }
    _ = try TimeLimit.run(TimeLimit.patience, in: database) {
      for moment in moments {
        let rest = rows.filter { row in
          found[row.row] == nil && !(moment.word.map { row.known.localizedStandardContains($0) } ?? false)
        }
        if !rest.isEmpty { try moment.find(in: rest.map(\.row), &found, database) }
      }
    }
    for index in rows.indices { rows[index].match = found[rows[index].row] }
  }

  private func find(_ rows: [SessionRow], _ found: inout [Int64: SearchMatch], _ database: Database) throws {
    // What a row says itself is not looked for in its events.
    let groups = Dictionary(grouping: rows) { row in
      texts.filter { !row.known.localizedStandardContains($0) }
    }
    let largest = groups.filter { !$0.key.isEmpty }.sorted { $0.value.count > $1.value.count }.prefix(Self.most)
    for (wanted, rows) in largest {
      func rest() -> [Int64] { rows.map(\.row).filter { found[$0] == nil } }
      if others != nil { try find(wanted, others, in: rest(), &found, database) }
      if !rest().isEmpty { try find(wanted, nil, in: rest(), &found, database) }
      // No event has them all: then one that has the first.
      if !rest().isEmpty, wanted.count > 1 { try find([wanted[0]], nil, in: rest(), &found, database) }
    }
  }

  /// Of each session the first error with these words, or the first event.
  private func find(
    _ wanted: [String], _ others: SearchCondition?, in sessions: [Int64], _ found: inout [Int64: SearchMatch],
    _ database: Database
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
      let snippet = try row.withUnsafeData(atIndex: 3) { data in
        data?.withUnsafeBytes {
          // What is of this type, or says it elsewhere.
          SearchMatch.snippet(pattern.words + wanted, in: $0, maximumDepth: Self.depth)
            ?? SearchMatch.summary(of: $0, maximumDepth: Self.depth)
        }
      }
      found[row[0]] = SearchMatch(
        event: row[4], timestamp: row[1], type: row[2], field: snippet?.field ?? "",
        text: snippet.map { SearchMatch.line($0.text) } ?? "")
    }
  }
}

extension SessionRow {
  /// What a list shows of it.
  fileprivate var known: String {
    let device = self.device.flatMap { try? JSONDecoder().decode(JSONTree.self, from: Data($0.utf8)) }
    let words = ["model", "systemName", "osVersion", "manufacturer"].compactMap { device?[$0]?.string }
    return ([sessionId, userId, bundleId, appVersion, tags, lastScreen] + words).compactMap { $0 }
      .joined(separator: "\n")
  }
}
