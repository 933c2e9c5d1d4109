import Foundation
import GRDB

/// What is said of many events of a batch, looked up once: for one read only, since the numbers of deleted rows are given to others.
struct ForwardNames {
  struct Session {
    var name: String
    var bundleId: String?
    var version: String?
    /// Opened from a file: no news.
    var isImported: Bool
  }

  private let database: Database
  private var sessions: [Int64: Session] = [:]
  private var launches: [Int64: String] = [:]

  init(_ database: Database) { self.database = database }

  mutating func session(_ row: Int64) throws -> Session {
    if let known = sessions[row] { return known }
    let found = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT sessionId, bundleId, appVersion,
            EXISTS (SELECT 1 FROM session_import WHERE session_import.sessionId = session.sessionId)
          FROM session WHERE id = ?
          """), arguments: [row])
    let session = Session(
      name: found?[0] ?? "", bundleId: found?[1], version: found?[2], isImported: found?[3] ?? false)
    sessions[row] = session
    return session
  }

  mutating func launch(_ row: Int64) throws -> String {
    if let known = launches[row] { return known }
    let name = try String.fetchOne(
      database.cachedStatement(sql: "SELECT launchId FROM launch WHERE id = ?"), arguments: [row])
    launches[row] = name ?? ""
    return name ?? ""
  }

  func context(_ row: Int64?, of session: Session) throws -> OutgoingContext {
    let json = try row.flatMap {
      try Data.fetchOne(
        database.cachedStatement(sql: "SELECT json FROM context WHERE id = ?"), arguments: [$0])
    }
    return OutgoingContext(json, session: session.name, bundleId: session.bundleId, version: session.version)
  }
}

extension ForwardedApp {
  /// Nil: the session was opened from a file.
  init?(of session: Int64, in database: Database) throws {
    var names = ForwardNames(database)
    let known = try names.session(session)
    guard !known.isImported else { return nil }
    self.init(bundleId: known.bundleId)
  }
}
