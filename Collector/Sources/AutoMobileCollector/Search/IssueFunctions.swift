import GRDB

/// The functions of an issue's stack, by which it is found: the last report's, readable as far as symbols are known.
enum IssueFunctions {
  static let table = "CREATE TABLE IF NOT EXISTS issue_text(issue INTEGER PRIMARY KEY, functions TEXT NOT NULL);"
  /// Has ``IssueRefiner`` look again at what is there already: it then writes it here.
  static let addExisting = """
    INSERT OR IGNORE INTO report_image SELECT '', sample FROM issue WHERE sample IS NOT NULL;
    """
  /// Of the innermost functions; and of all their names together, in characters.
  private static let frames = 64
  private static let longest = 4000

  /// - Parameter report: the one that describes the issue.
  static func set(_ issue: Int64, _ report: EventReport, in database: Database) throws {
    var names: [String] = []
    for frame in report.report.principalFrames.prefix(frames) {
      guard let name = frame.function ?? frame.symbol, !names.contains(name) else { continue }
      names.append(name)
    }
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO issue_text VALUES (?, ?)")
      .execute(arguments: [issue, String(names.joined(separator: "\n").prefix(longest))])
  }

  /// Numbers of issues are used again.
  static func removeIfGone(_ issue: Int64, in database: Database) throws {
    try database.cachedStatement(
      sql: "DELETE FROM issue_text WHERE issue = ?1 AND NOT EXISTS (SELECT 1 FROM issue WHERE id = ?1)"
    ).execute(arguments: [issue])
  }
}
