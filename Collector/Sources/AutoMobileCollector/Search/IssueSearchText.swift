import GRDB

/// What an issue is found by besides its title: the functions of its stack, readable as far as symbols are known, and what its
/// reports said, which can be something else each time.
enum IssueSearchText {
  static let table = """
    CREATE TABLE IF NOT EXISTS issue_text(
      issue INTEGER PRIMARY KEY, functions TEXT NOT NULL DEFAULT '', messages TEXT NOT NULL DEFAULT '');
    """
  /// Has ``IssueRefiner`` look again at what is there already, the newest reports of it: it then writes it here.
  static let addExisting = """
    INSERT OR IGNORE INTO report_image SELECT '', sample FROM issue WHERE sample IS NOT NULL;
    INSERT OR IGNORE INTO report_image SELECT '', event FROM issue_event ORDER BY timestamp DESC LIMIT 10000;
    """
  /// Of the innermost functions; and of all their names together, in characters.
  private static let frames = 64
  private static let longest = 4000

  /// - Parameter report: the one that describes the issue.
  static func setFunctions(_ issue: Int64, _ report: EventReport, in database: Database) throws {
    var names: [String] = []
    for frame in report.report.principalFrames.prefix(frames) {
      guard let name = frame.function ?? frame.symbol, !names.contains(name) else { continue }
      names.append(name)
    }
    try database.cachedStatement(
      sql: """
        INSERT INTO issue_text(issue, functions) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET functions = ?2
        """
    ).execute(arguments: [issue, String(names.joined(separator: "\n").prefix(longest))])
  }

  /// Adds what a report says, as long as there is room; numbers left out, or there would be no end of it.
  static func addMessage(_ issue: Int64, _ report: EventReport, in database: Database) throws {
    guard let message = IssueText.message(of: report).map({ Fingerprint.withoutNumbers($0) }) else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO issue_text(issue, messages) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET messages = messages || char(10) || ?2
        WHERE length(messages) < \(longest) AND instr(messages, ?2) = 0
        """
    ).execute(arguments: [issue, message])
  }

  /// Numbers of issues are used again.
  static func removeIfGone(_ issue: Int64, in database: Database) throws {
    try database.cachedStatement(
      sql: "DELETE FROM issue_text WHERE issue = ?1 AND NOT EXISTS (SELECT 1 FROM issue WHERE id = ?1)"
    ).execute(arguments: [issue])
  }
}
