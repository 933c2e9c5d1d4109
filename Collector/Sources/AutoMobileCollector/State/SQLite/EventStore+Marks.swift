import AutoMobileState
import Foundation
import GRDB

/// Marks of erasures (``ErasureMarks``) that collectors of one state have in common: each tells the state of its own, and keeps a copy of
/// all, so that it follows them while the state is away. A mark is a hash that is made with its collector's key, which goes along.
extension EventStore {
  private struct Untold: Sendable {
    var hash: Data
    var at: Int64
    var ends: Int64
  }

  /// In one transaction.
  private static let page = 500

  /// Tells a state elsewhere of marks that it does not know. Blocks: not for an event loop.
  func tellMarks() throws {
    guard sharesState else { return }
    while true {
      let marks = try pool.read { database in
        try Row.fetchAll(
          database, sql: "SELECT hash, at, ends FROM erasure_mark WHERE told = 0 LIMIT ?", arguments: [Self.page]
        ).map { Untold(hash: $0[0], at: $0[1], ends: $0[2]) }
      }
      guard !marks.isEmpty else { return }
      let key = Data(try pool.read { try ErasureMarks.key(in: $0) })
      try state.writeNow { state in
        for mark in marks {
          try state.execute(
            """
            INSERT INTO erased_name(hash, secret, at, ends) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (hash) DO UPDATE SET at = ?3, ends = ?4
            """, mark.hash, key, mark.at, mark.ends)
        }
        try state.execute("DELETE FROM erased_name WHERE ends <= ?1", WallClock.now)
        try state.tell(.erasures)
      }
      try pool.write { database in
        for mark in marks {
          // What was marked once more meanwhile is told again.
          try database.cachedStatement(sql: "UPDATE erasure_mark SET told = 1 WHERE hash = ? AND at = ? AND ends = ?")
            .execute(arguments: [mark.hash, mark.at, mark.ends])
        }
      }
    }
  }

  /// Has the copy be as the state is. Blocks: not for an event loop.
  func pullMarks() throws {
    try copying.withLock {
      let marks = try state.readNow { try CopiedTable.erasedNames.rows(in: $0) }
      try own.writeNow { try CopiedTable.erasedNames.follow(marks, in: $0) }
    }
    marksVersion.withLockedValue { $0 += 1 }
  }
}
