import Foundation
import GRDB

/// What ended a launch, as the launch after it told in a lifecycle event.
struct LaunchEnds {
  static let table = """
    CREATE TABLE launch_end(
      -- Named, because the launch itself may arrive later, or never.
      name TEXT PRIMARY KEY, verdict TEXT NOT NULL, evidence TEXT NOT NULL, lastSeen INTEGER) WITHOUT ROWID;
    """

  /// What was in the events and not in the table at first: version and memory.
  static func addDetails(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE launch_end ADD COLUMN appVersion TEXT;
        -- Megabytes: in use when it was last seen, and the most that it could have.
        ALTER TABLE launch_end ADD COLUMN memory INTEGER;
        ALTER TABLE launch_end ADD COLUMN memoryLimit INTEGER;
        """)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT payload FROM event JOIN event_type ON event_type.id = event.type
        WHERE event_type.name = 'lifecycle' ORDER BY event.id
        """)
    while let row = try rows.next() {
      guard let end = ToldEnd(row[0] as Data) else { continue }
      try describe(end, in: database)
    }
  }

  let database: Database

  /// Notes what an event says, when it is one of these. What came first stands.
  func add(_ payload: UnsafeRawBufferPointer, of owner: IndexCaches.Owner) throws {
    guard let end = ToldEnd(payload) else { return }
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO launch_end(owner, name, verdict, evidence, lastSeen) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [owner.row, end.launch, end.verdict, end.evidence, end.lastSeen])
    try database.cachedStatement(
      sql: """
        UPDATE launch_end SET appVersion = IFNULL(appVersion, ?), memory = IFNULL(memory, ?),
          memoryLimit = IFNULL(memoryLimit, ?) WHERE owner = ? AND name = ?
        """
    ).execute(arguments: [end.appVersion, end.memory?.used, end.memory?.limit, owner.row, end.launch])
  }

  /// For the events that were stored before there was this table.
  static func addExisting(_ database: Database) throws {
    let payloads = try Data.fetchCursor(
      database,
      sql: """
        SELECT payload FROM event JOIN event_type ON event_type.id = event.type
        WHERE event_type.name = 'lifecycle' ORDER BY event.id
        """)
    while let payload = try payloads.next() { try add(payload, to: database) }
  }

  private static func add(_ payload: Data, to database: Database) throws {
    guard let end = ToldEnd(payload) else { return }
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO launch_end(name, verdict, evidence, lastSeen) VALUES (?, ?, ?, ?)"
    ).execute(arguments: [end.launch, end.verdict, end.evidence, end.lastSeen])
  }

  private static func describe(_ end: ToldEnd, in database: Database) throws {
    try database.cachedStatement(
      sql: """
        UPDATE launch_end SET appVersion = IFNULL(appVersion, ?), memory = IFNULL(memory, ?),
          memoryLimit = IFNULL(memoryLimit, ?) WHERE name = ?
        """
    ).execute(arguments: [end.appVersion, end.memory?.used, end.memory?.limit, end.launch])
  }

  /// The launch whose end an event tells; nil when it tells of none.
  static func launch(toldBy payload: Data) -> String? {
    ToldEnd(payload)?.launch
  }
}
