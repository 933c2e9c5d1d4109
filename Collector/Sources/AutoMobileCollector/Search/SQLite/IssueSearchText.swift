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
  /// Of all names together, in characters.
  private static let longest = ReportFields.longestText

  /// In `functions`, what stands after an empty line is of issues that were merged into this one.
  private struct Functions {
    var own = ""
    var joined: [Substring] = []
    private static let separator = "\n\n"

    init(_ issue: Int64, in database: Database) throws {
      let text = try String.fetchOne(
        database.cachedStatement(sql: "SELECT functions FROM issue_text WHERE issue = ?"), arguments: [issue])
      guard let text else { return }
      guard let end = text.firstRange(of: Self.separator) else {
        own = text
        return
      }
      own = String(text[..<end.lowerBound])
      joined = text[end.upperBound...].split(separator: "\n")
    }

    /// As long as there is room.
    mutating func join(_ names: [Substring]) {
      var room = IssueSearchText.longest - joined.reduce(0) { $0 + $1.count + 1 }
      for name in names where !joined.contains(name) && name.count < room {
        joined.append(name)
        room -= name.count + 1
      }
    }

    func save(_ issue: Int64, in database: Database) throws {
      let text = joined.isEmpty ? own : own + Self.separator + joined.joined(separator: "\n")
      try database.cachedStatement(
        sql: """
          INSERT INTO issue_text(issue, functions) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET functions = ?2
          """
      ).execute(arguments: [issue, text])
    }
  }

  /// - Parameter report: the one that describes the issue.
  static func setFunctions(_ issue: Int64, _ report: EventReport, in database: Database) throws {
    var functions = try Functions(issue, in: database)
    functions.own = String(names(report).joined(separator: "\n").prefix(longest))
    try functions.save(issue, in: database)
  }

  /// - Parameter report: one that would be in another issue, which was merged into this one.
  static func joinFunctions(_ issue: Int64, _ report: EventReport, in database: Database) throws {
    var functions = try Functions(issue, in: database)
    let before = functions.joined.count
    functions.join(names(report).map { $0[...] })
    if functions.joined.count != before { try functions.save(issue, in: database) }
  }

  private static func names(_ report: EventReport) -> [String] { ReportFields.functions(report) }

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

  /// One issue is counted in another one from now on.
  static func move(from source: Int64, to target: Int64, in database: Database) throws {
    let moved = try Functions(source, in: database)
    var functions = try Functions(target, in: database)
    functions.join(moved.own.split(separator: "\n") + moved.joined)
    try functions.save(target, in: database)
    try database.execute(
      sql: """
        INSERT INTO issue_text(issue, messages) SELECT ?2, messages FROM issue_text WHERE issue = ?1
        ON CONFLICT DO UPDATE SET messages = substr(messages || char(10) || excluded.messages, 1, \(longest))
        """, arguments: [source, target])
    try database.execute(sql: "DELETE FROM issue_text WHERE issue = ?", arguments: [source])
  }

  /// Has ``IssueRefiner`` write anew what an issue's newest reports say.
  static func lookAgain(_ issue: Int64, in database: Database) throws {
    try database.execute(sql: "DELETE FROM issue_text WHERE issue = ?", arguments: [issue])
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO report_image
        SELECT '', event FROM issue_event WHERE issue = ? ORDER BY timestamp DESC LIMIT 100
        """, arguments: [issue])
  }

  /// Numbers of issues are used again.
  static func removeIfGone(_ issue: Int64, in database: Database) throws {
    try database.cachedStatement(
      sql: "DELETE FROM issue_text WHERE issue = ?1 AND NOT EXISTS (SELECT 1 FROM issue WHERE id = ?1)"
    ).execute(arguments: [issue])
  }
}
