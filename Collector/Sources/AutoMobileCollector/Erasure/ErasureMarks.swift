import Foundation
import GRDB

/// What must not come back: a phone may hold events of an erased session for months, a proxy may repeat a delivery.
///
/// A mark is the keyed hash of a name, under its app's name or under any. It ends; until then
///
/// - whatever names a marked session, or a context of it, is dropped;
/// - what happened to a marked user or device before the mark is dropped, in whatever order it comes; a session of which that is the
///   first that is heard is marked itself;
/// - a replay that names a marked session or is marked itself is answered as if it were here.
struct ErasureMarks {
  /// `context`: a launch's name and a number, where contexts have no rows that could stay emptied.
  enum Kind: String { case session, replay, user, device, context }

  struct Mark {
    var erasure: Int64
    /// When it was asked for: what began later is kept, of users and devices.
    var at: Int64
    var ends: Int64
  }

  /// How long marks hold, in milliseconds. As long as positions of what retention deleted: longer than any device keeps something.
  static let lifetime = Retention.remembered

  private let database: Database
  /// nil: nothing is marked, and nothing has to be computed.
  private let key: [UInt8]?

  init(_ database: Database) throws {
    self.database = database
    key = try Self.isEmpty(database) ? nil : Self.key(in: database)
  }

  var isEmpty: Bool { key == nil }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try Bool.fetchOne(database.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM erasure_mark)")) ?? true
  }

  // MARK: Asking

  /// The mark of a name of an app's.
  func mark(_ kind: Kind, _ name: String, of owner: DataOwner) throws -> Mark? {
    guard let key else { return nil }
    for owner in [owner.name, Self.anyOwner] {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT erasure, at, ends FROM erasure_mark WHERE hash = ?"),
        arguments: [Self.hash(kind, name, owner: owner, key)])
      if let row { return Mark(erasure: row[0], at: row[1], ends: row[2]) }
    }
    return nil
  }

  /// The mark of whoever a context names.
  func mark(of context: ContextRecord, _ owner: DataOwner) throws -> Mark? {
    guard key != nil else { return nil }
    if let user = context.userId, let mark = try mark(.user, user, of: owner) { return mark }
    return try context.anonymousId.flatMap { try mark(.device, $0, of: owner) }
  }

  // MARK: Writing

  /// - Parameter owner: nil: whatever app says it.
  static func insert(
    _ kind: Kind, _ name: String, of owner: DataOwner?, _ mark: Mark, in database: Database
  ) throws {
    let hash = hash(kind, name, owner: owner?.name ?? anyOwner, try key(in: database))
    try database.cachedStatement(
      sql: """
        INSERT INTO erasure_mark(hash, erasure, at, ends) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET erasure = ?2, at = MAX(at, ?3), ends = MAX(ends, ?4), told = 0
        """
    ).execute(arguments: [hash, mark.erasure, mark.at, mark.ends])
  }

  /// Takes away what has ended. What has come again by then is nobody's concern any more.
  static func purge(at now: Int64, in database: Database) throws {
    try database.execute(sql: "DELETE FROM erasure_mark WHERE ends <= ?", arguments: [now])
    try database.execute(
      sql: "DELETE FROM context WHERE erased > 0 AND erased <= ?", arguments: [now - lifetime])
    try database.execute(
      sql: "UPDATE context SET erased = 0 WHERE erased < 0 AND -erased <= ?", arguments: [now - lifetime])
  }

  // MARK: Hashes

  /// No app is called so: its name would begin with `app ` or `file `.
  static let anyOwner = "*"

  static func hash(_ kind: Kind, _ name: String, owner: String, _ key: [UInt8]) -> Data {
    Data(SHA256.code(Array("\(kind.rawValue)\0\(owner)\0\(name)".utf8), key: key))
  }

  /// Of a subject, for its receipt: the same for the same name, kind and project, and for this collector only.
  static func subject(_ subject: ErasureSubject, in database: Database) throws -> String {
    let text = "receipt\0\(subject.kind.rawValue)\0\(subject.project ?? anyOwner)\0\(subject.id)"
    return SHA256.code(Array(text.utf8), key: try key(in: database)).hexText
  }

  /// Made when it is asked for first.
  static func makeKey(in database: Database) throws {
    var generator = SystemRandomNumberGenerator()
    let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    try database.execute(sql: "INSERT OR IGNORE INTO erasure_key VALUES (1, ?)", arguments: [Data(key)])
  }

  static func key(in database: Database) throws -> [UInt8] {
    guard let key = try Data.fetchOne(database.cachedStatement(sql: "SELECT key FROM erasure_key WHERE id = 1")) else {
      throw DatabaseError(message: "the key of erasures is missing")
    }
    return Array(key)
  }
}
