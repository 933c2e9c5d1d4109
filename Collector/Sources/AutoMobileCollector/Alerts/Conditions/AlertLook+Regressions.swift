import AutoMobileState
import Foundation

extension AlertLook {
  /// Issues that were resolved and came back, as the state has noted it.
  struct Regressions: Sendable {
    struct Change: Sendable {
      var name: String
      var at: Int64
      var version: String?
    }

    var changes: [Change] = []
    /// The change of an issue up to which this looked.
    var end: Int64 = 0
    var isPartial = false
  }

  static func regressions(after cursor: Int64, in state: borrowing StateReading) throws -> Regressions {
    struct Value: Decodable { var version: String? }
    let rows = try state.rows(
      "SELECT id, name, at, value FROM issue_change WHERE id > ?1 AND what = 'regressed' ORDER BY id LIMIT ?2", cursor,
      most)
    var found = Regressions(end: try newestIssueChange(in: state))
    if rows.count == most, let last = rows.last { (found.end, found.isPartial) = (try last[0], true) }
    found.changes = try rows.map { row in
      let value = (try row[3] as String?).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
      return .init(name: try row[1], at: try row[2], version: value?.version)
    }
    return found
  }

  /// Where a new rule about what became of issues begins.
  static func newestIssueChange(in state: borrowing StateReading) throws -> Int64 {
    try state.value("SELECT COALESCE(MAX(id), 0) FROM issue_change") ?? 0
  }

  /// Where a new rule begins that is about what the state has noted; nil: it is about the index.
  static func newestChange(of kind: AlertRule.Kind, in state: borrowing StateReading) throws -> Int64? {
    switch kind {
    case .ask: try newestChange(in: state)
    case .regression: try newestIssueChange(in: state)
    case .newIssue, .issueRate, .crashFree, .requestErrors, .silence: nil
    }
  }
}
