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
      guard let event = decode(row[0]) else { continue }
      try describe(event, in: database)
    }
  }

  private static let state = Data("previous_launch_ended".utf8)

  let database: Database

  /// Notes what an event says, when it is one of these. What came first stands.
  func add(_ payload: UnsafeRawBufferPointer, of owner: IndexCaches.Owner) throws {
    guard payload.count < 64 << 10 else { return }
    let data = Data(payload)
    guard let event = Self.decode(data), let launch = event.details.launchId, let verdict = event.details.verdict else {
      return
    }
    let name = String(launch.prefix(100))
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO launch_end(owner, name, verdict, evidence, lastSeen) VALUES (?, ?, ?, ?, ?)"
    ).execute(
      arguments: [
        owner.row, name, String(verdict.prefix(100)), event.details.evidence ?? "",
        event.details.lastSeen.flatMap { Int64($0) },
      ])
    let memory = Self.megabytes(event.details.memory)
    try database.cachedStatement(
      sql: """
        UPDATE launch_end SET appVersion = IFNULL(appVersion, ?), memory = IFNULL(memory, ?),
          memoryLimit = IFNULL(memoryLimit, ?) WHERE owner = ? AND name = ?
        """
    ).execute(arguments: [
      event.details.appVersion.map { String($0.prefix(100)) }, memory?.used, memory?.limit, owner.row, name,
    ])
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
    guard let event = decode(payload), let launch = event.details.launchId, let verdict = event.details.verdict else {
      return
    }
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO launch_end(name, verdict, evidence, lastSeen) VALUES (?, ?, ?, ?)"
    ).execute(
      arguments: [
        String(launch.prefix(100)), String(verdict.prefix(100)), event.details.evidence ?? "",
        event.details.lastSeen.flatMap { Int64($0) },
      ])
  }

  /// The launch whose end an event tells; nil when it tells of none.
  static func launch(toldBy payload: Data) -> String? {
    decode(payload)?.details.launchId.map { String($0.prefix(100)) }
  }

  private static func decode(_ payload: Data) -> Event? {
    guard payload.range(of: state) != nil, let event = try? JSONDecoder().decode(Event.self, from: payload),
      event.state == "previous_launch_ended"
    else { return nil }
    return event
  }

  private static func describe(_ event: Event, in database: Database) throws {
    guard let launch = event.details.launchId else { return }
    let memory = megabytes(event.details.memory)
    try database.cachedStatement(
      sql: """
        UPDATE launch_end SET appVersion = IFNULL(appVersion, ?), memory = IFNULL(memory, ?),
          memoryLimit = IFNULL(memoryLimit, ?) WHERE name = ?
        """
    ).execute(arguments: [
      event.details.appVersion.map { String($0.prefix(100)) }, memory?.used, memory?.limit, String(launch.prefix(100)),
    ])
  }

  /// "412 of 450 MB", "412 MB".
  static func megabytes(_ text: String?) -> (used: Int64, limit: Int64?)? {
    guard let words = text?.prefix(64).split(separator: " "), words.last == "MB",
      let used = words.first.flatMap({ Int64($0) }), (0...1 << 30).contains(used)
    else { return nil }
    let limit = words.count == 4 && words[1] == "of" ? Int64(words[2]) : nil
    return (used, limit.flatMap { (0...1 << 30).contains($0) ? $0 : nil })
  }

  private struct Event: Decodable {
    struct Details: Decodable {
      var launchId: String?
      var verdict: String?
      var evidence: String?
      var lastSeen: String?
      var appVersion: String?
      var memory: String?
    }
    var state: String
    var details: Details
  }
}
