import Foundation
import GRDB

/// What is being erased, what was, and what must not come back. No table has the name that somebody asked to be erased for longer than
/// that takes: only its keyed hash.
enum ErasureTables {
  static let sql = """
    -- Of this collector: without it nobody can try names against the hashes of receipts.
    CREATE TABLE erasure_key(id INTEGER PRIMARY KEY CHECK (id = 1), key BLOB NOT NULL);

    CREATE TABLE erasure(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      -- user, device or session; and the keyed hash of its name.
      kind TEXT NOT NULL, subject TEXT NOT NULL,
      -- The app that it is limited to; null: all.
      project TEXT,
      reason TEXT NOT NULL, requestedAt INTEGER NOT NULL, requestedBy TEXT NOT NULL,
      -- See ErasureStep. It moves on in the transaction that ends the one before.
      step TEXT NOT NULL,
      -- JSON: what was removed so far, by table or store.
      counts TEXT NOT NULL DEFAULT '{}',
      problem TEXT, finishedAt INTEGER,
      -- From then on what comes late is taken again.
      marksEnd INTEGER NOT NULL,
      -- The text whose SHA-256 stands beside it.
      receipt TEXT, sha256 TEXT);

    -- Sessions that wait to be erased. A row goes in the transaction that removes the session: its number is given to others.
    CREATE TABLE erasure_session(
      erasure INTEGER NOT NULL, session INTEGER NOT NULL, prepared INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (erasure, session)) WITHOUT ROWID;
    CREATE INDEX erasure_session_session ON erasure_session(session);
    -- What others share and has to be looked at afterwards: issues by name; hosts, routes, types and builds by number; packs.
    CREATE TABLE erasure_shared(
      erasure INTEGER NOT NULL, what TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (erasure, what, name)) WITHOUT ROWID;
    -- What must not come back, by keyed hash: see ErasureMarks.
    CREATE TABLE erasure_mark(
      hash BLOB PRIMARY KEY, erasure INTEGER NOT NULL, at INTEGER NOT NULL, ends INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX erasure_mark_ends ON erasure_mark(ends);

    -- When its contents were erased: the row says that what names it is not kept. Below zero: it is of somebody who was erased at
    -- that time, and what happened before then is not kept.
    ALTER TABLE context ADD COLUMN erased INTEGER NOT NULL DEFAULT 0;
    """

  /// Marks of all collectors of one state (EventStore+Marks), each with the key that its hash was made with. Empty where the state is in
  /// this file.
  static let shared = """
    CREATE TABLE erased_name(
      hash BLOB PRIMARY KEY, secret BLOB NOT NULL, at INTEGER NOT NULL, ends INTEGER NOT NULL) WITHOUT ROWID;
    ALTER TABLE erasure_mark ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX erasure_mark_untold ON erasure_mark(told) WHERE told = 0;

    """

  /// Of an erasure whose subject a state elsewhere may have again, since it was cleaned before the erasure was written down: JSON, see
  /// StateErasure. The one place that has the name, until the state has been cleaned again; before the file is written anew.
  static let late = """
    CREATE TABLE erasure_late(erasure INTEGER PRIMARY KEY, subject TEXT NOT NULL);

    """
}

/// What is done, one after the other. After any end of the process the next one goes on with the step that was not finished.
enum ErasureStep: String, Sendable, CaseIterable {
  /// Their rows, session by session, a little at a time.
  case sessions
  /// What others share: issues say what is left of them, names that nobody uses go.
  case shared
  /// Deliveries that were durable before it was asked for are indexed, and their files removed.
  case log
  /// Rows in ClickHouse are deleted, where telemetry is there.
  case telemetry
  /// The full text index is merged, so that no erased word stands in it.
  case words
  /// Packs of replays that have holes are written anew.
  case packs
  /// The index file is written anew, and the write-ahead log emptied.
  case file
  case done

  var next: ErasureStep {
    let all = Self.allCases
    guard let index = all.firstIndex(of: self), index + 1 < all.count else { return .done }
    return all[index + 1]
  }
}

/// One erasure, as its row has it.
struct Erasure: Sendable {
  var id: Int64
  var kind: ErasureSubject.Kind
  /// The keyed hash, in hexadecimal digits.
  var subject: String
  var project: String?
  var reason: String
  var requestedAt: Int64
  var requestedBy: String
  var step: ErasureStep
  var counts: [String: Int64]
  var problem: String?
  var finishedAt: Int64?
  var marksEnd: Int64
  var receipt: String?
  var sha256: String?

  static let columns = """
    id, kind, subject, project, reason, requestedAt, requestedBy, step, counts, problem, finishedAt, marksEnd, receipt, sha256
    """

  init?(_ row: Row) {
    guard let kind = ErasureSubject.Kind(rawValue: row[1]), let step = ErasureStep(rawValue: row[7]) else { return nil }
    (id, self.kind, subject, project, reason) = (row[0], kind, row[2], row[3], row[4])
    (requestedAt, requestedBy, self.step) = (row[5], row[6], step)
    counts = (try? JSONDecoder().decode([String: Int64].self, from: Data((row[8] as String).utf8))) ?? [:]
    (problem, finishedAt, marksEnd, receipt, sha256) = (row[9], row[10], row[11], row[12], row[13])
  }

  static func one(_ id: Int64, in database: Database) throws -> Erasure? {
    try Row.fetchOne(database, sql: "SELECT \(columns) FROM erasure WHERE id = ?", arguments: [id]).flatMap(
      Erasure.init)
  }

  /// The oldest that is not done.
  static func next(in database: Database) throws -> Erasure? {
    try Row.fetchOne(database, sql: "SELECT \(columns) FROM erasure WHERE step <> 'done' ORDER BY id LIMIT 1")
      .flatMap(Erasure.init)
  }

  /// The newest first.
  static func page(subject: String?, before: Int64?, limit: Int, in database: Database) throws -> [Erasure] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT \(columns) FROM erasure WHERE (?1 IS NULL OR subject = ?1) AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3
        """, arguments: [subject, before, limit]
    ).compactMap(Erasure.init)
  }

  // MARK: Writing

  /// Adds to what was removed, inside the transaction that removes it.
  static func count(_ added: [String: Int64], of id: Int64, in database: Database) throws {
    let added = added.filter { $0.value != 0 }
    guard !added.isEmpty, let erasure = try one(id, in: database) else { return }
    let counts = erasure.counts.merging(added, uniquingKeysWith: +)
    var json = JSONOutput()
    json.object { for (name, count) in counts.sorted(by: { $0.key < $1.key }) { $0.member(name, count) } }
    try database.execute(
      sql: "UPDATE erasure SET counts = ? WHERE id = ?", arguments: [String(buffer: json.buffer), id])
  }

  static func finish(_ step: ErasureStep, of id: Int64, in database: Database) throws {
    try database.execute(
      sql: "UPDATE erasure SET step = ?, problem = NULL WHERE id = ? AND step = ?",
      arguments: [step.next.rawValue, id, step.rawValue])
  }
}
