import GRDB

/// What a rule's condition found in the index, at one moment.
struct AlertLook {
  enum Finding {
    /// It happened.
    case moment(Alert)
    /// It is the case.
    case firing(Alert)
    /// It is not the case any more.
    case calm(Alert)

    var alert: Alert {
      switch self {
      case .moment(let alert), .firing(let alert), .calm(let alert): alert
      }
    }
  }

  var findings: [Finding] = []
  /// Up to where it has been looked at.
  var cursor: Int64
  /// Whether there is more behind the cursor right now.
  var isPartial = false

  /// What a condition has to know besides the index.
  struct Context {
    var now: Int64
    /// Since when this collector runs: before, it could receive nothing.
    var startedAt: Int64
    /// What is the case already, and since when.
    var firing: [String: Int64] = [:]
    /// Issues that came back since, see ``AlertLook/regressions(after:in:)``.
    var regressions = Regressions()
  }

  /// Reports that are looked at in one go.
  static let step = 20_000
  /// Things that one look finds. Of more only the number would be told anyway.
  static let most = 2000

  init(_ rule: AlertRule, _ context: Context, in database: Database) throws {
    cursor = rule.cursor
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
