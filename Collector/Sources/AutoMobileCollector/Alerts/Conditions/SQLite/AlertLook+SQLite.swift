import GRDB

extension AlertLook {
  init(_ rule: AlertRule, _ context: Context, in database: Database) throws {
    self.init(cursor: rule.cursor)
    // Beyond it there is nothing: the newest were deleted, and their numbers are given to others.
    if rule.kind == .newIssue || rule.kind == .issueRate {
      cursor = min(cursor, try Self.cursor(of: rule.kind, in: database))
    }
    switch rule.kind {
    case .newIssue: try findNewIssues(rule, context, database)
    case .regression: try findRegressions(rule, context, database)
    case .issueRate: try findIssueRates(rule, context, database)
    case .crashFree: try findCrashFree(rule, context, database)
    case .requestErrors: try findRequestErrors(rule, context, database)
    case .silence: try findSilence(rule, context, database)
    // What became of asks is no telemetry: see `init(asks:in:)`.
    case .ask: break
    }
  }

  /// Where a new rule begins.
  static func cursor(of kind: AlertRule.Kind, in database: Database) throws -> Int64 {
    switch kind {
    case .newIssue, .issueRate: try Int64.fetchOne(database, sql: "SELECT MAX(event) FROM issue_event") ?? 0
    // Of these see `newestChange(of:in:)`.
    case .regression, .ask: 0
    case .crashFree, .requestErrors, .silence: 0
    }
  }
}
