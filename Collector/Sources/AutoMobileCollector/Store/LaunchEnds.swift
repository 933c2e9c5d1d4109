import Foundation
import GRDB

/// What ended a launch, as the launch after it told in a lifecycle event.
struct LaunchEnds {
  static let table = """
    CREATE TABLE launch_end(
      -- Named, because the launch itself may arrive later, or never.
      name TEXT PRIMARY KEY, verdict TEXT NOT NULL, evidence TEXT NOT NULL, lastSeen INTEGER) WITHOUT ROWID;
    """
  private static let state = Data("previous_launch_ended".utf8)

  let database: Database

  /// Notes what an event says, when it is one of these. What came first stands.
  func add(_ payload: UnsafeRawBufferPointer) throws {
    guard payload.count < 64 << 10 else { return }
    try Self.add(Data(payload), to: database)
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
    guard payload.range(of: state) != nil, let event = try? JSONDecoder().decode(Event.self, from: payload),
      event.state == "previous_launch_ended", let launch = event.details.launchId, let verdict = event.details.verdict
    else { return }
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO launch_end(name, verdict, evidence, lastSeen) VALUES (?, ?, ?, ?)"
    ).execute(
      arguments: [
        String(launch.prefix(100)), String(verdict.prefix(100)), event.details.evidence ?? "",
        event.details.lastSeen.flatMap { Int64($0) },
      ])
  }

  private struct Event: Decodable {
    struct Details: Decodable {
      var launchId: String?
      var verdict: String?
      var evidence: String?
      var lastSeen: String?
    }
    var state: String
    var details: Details
  }
}
