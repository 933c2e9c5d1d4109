import AutoMobileState
import Foundation
import GRDB

extension IssueNotice {
  /// Those that a state elsewhere has not been told yet, in their order.
  static let table = """
    CREATE TABLE issue_notice(id INTEGER PRIMARY KEY AUTOINCREMENT, notice TEXT NOT NULL);

    """

  /// Applies it to the tables of the index, in the transaction that notices it. They are the state, or a copy of one that is elsewhere:
  /// then it is kept in the same transaction until the state has it, so that no end of the process loses it.
  func note(in database: Database) throws {
    try SQLiteState.within(database) { _ = try apply(in: $0) }
    guard try StateMark.isElsewhere(in: database) else { return }
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try database.cachedStatement(sql: "INSERT INTO issue_notice(notice) VALUES (?)").execute(arguments: [text])
  }

  /// The oldest that waits.
  static func next(in database: Database) throws -> (id: Int64, notice: IssueNotice?)? {
    guard let row = try Row.fetchOne(database, sql: "SELECT id, notice FROM issue_notice ORDER BY id LIMIT 1") else {
      return nil
    }
    return (row[0], try? JSONDecoder().decode(Self.self, from: Data((row[1] as String).utf8)))
  }

  /// All of them that can be read.
  static func waiting(in database: Database) throws -> [IssueNotice] {
    try String.fetchAll(database.cachedStatement(sql: "SELECT notice FROM issue_notice ORDER BY id")).compactMap {
      try? JSONDecoder().decode(Self.self, from: Data($0.utf8))
    }
  }

  static func forget(_ id: Int64, in database: Database) throws {
    try database.execute(sql: "DELETE FROM issue_notice WHERE id = ?", arguments: [id])
  }
}
