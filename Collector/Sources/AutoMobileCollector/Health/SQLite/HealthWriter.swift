import Foundation
import GRDB

/// Puts what custom events say of launches and frames into the index, inside a transaction of the caller's.
struct HealthWriter {
  /// An event that was just stored.
  struct Event {
    var id: Int64
    var session: Int64
    var timestamp: Int64
    /// The context's JSON.
    var context: Data?
    var owner = IndexCaches.Owner.unknown
    var bundleId: String?
  }

  let database: Database

  init(_ database: Database) { self.database = database }

  /// Adds a custom event, when it is one of these.
  func add(_ event: Event, _ payload: UnsafeRawBufferPointer) throws {
    switch Measurement(custom: payload) {
    case .launch(let kind, let total, let beforeMain):
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO launch_time VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
        arguments: [event.id, event.session, try build(event), event.timestamp, kind, total, beforeMain])
    case .frames(let frames): try add(frames, event)
    default: break
    }
  }

  private func add(_ frames: Measurement.Frames, _ event: Event) throws {
    let (screen, duration) = (frames.screen, frames.duration)
    // A second in which frames came late is part of its visit, which is told of when it ends: then it is not counted any
    // more. When the process ends first, the seconds are all that is known.
    if frames.isSecond {
      // The next visit that ended: those of one screen follow each other.
      let isTold = try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT timestamp - duration - ?4 < ?2 FROM screen_frames
            WHERE session = ?1 AND screen = ?3 AND second = 0 AND timestamp BETWEEN ?2 AND ?2 + 86400000
            ORDER BY timestamp LIMIT 1
            """), arguments: [event.session, event.timestamp, screen, Self.slack])
      guard isTold != true else { return }
    } else {
      let (start, isTooEarly) = event.timestamp.subtractingReportingOverflow(duration + Self.slack)
      try database.cachedStatement(
        sql: "DELETE FROM screen_frames WHERE session = ? AND screen = ? AND second = 1 AND timestamp BETWEEN ? AND ?"
      ).execute(arguments: [event.session, screen, isTooEarly ? .min : start, event.timestamp])
    }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO screen_frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: [
        event.id, event.session, try build(event), event.timestamp, screen, duration, frames.frames, frames.slow,
        frames.frozen, frames.worst, frames.isSecond,
      ])
  }

  /// Between the end of a visit's last frame and the event that tells of it, in milliseconds.
  private static let slack: Int64 = 1000

  // MARK: Taps

  /// Adds an interaction, when it is one of these: by the screen that was shown and what was tapped.
  func addTap(_ event: Event, _ payload: UnsafeRawBufferPointer) throws {
    guard case .tap(let kind, let told, let element) = Measurement(interaction: payload) else { return }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO tap_trouble VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        event.id, event.session, try build(event), event.timestamp, kind, try told ?? screen(of: event), element,
      ])
  }

  /// Where the session had come to, as far as that is among the events right before: an app that navigates nowhere must not
  /// have all of its session read for each tap.
  private func screen(of event: Event) throws -> String {
    let name = try String.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT json_extract(CAST(payload AS TEXT), '$.destination') FROM (
            SELECT payload, type FROM event WHERE session = ? AND timestamp <= ?
            ORDER BY timestamp DESC, id DESC LIMIT \(Self.lookBack))
          WHERE type = (SELECT id FROM event_type WHERE name = 'navigation') LIMIT 1
          """), arguments: [event.session, event.timestamp])
    return String((name ?? "").prefix(200))
  }

  /// In events.
  private static let lookBack = 500

  private func build(_ event: Event) throws -> Int64 {
    let context = event.context.flatMap { $0.withUnsafeBytes { try? ContextRecord(json: $0) } }
    let name: StatementArguments = [
      String((event.owner.countedBundle(context?.bundleId, event.bundleId) ?? "").prefix(200)),
      String((context?.appVersion ?? "").prefix(100)),
    ]
    let find = "SELECT id FROM build WHERE bundleId = ? AND version = ?"
    if let known = try Int64.fetchOne(database.cachedStatement(sql: find), arguments: name) { return known }
    try database.cachedStatement(sql: "INSERT INTO build(bundleId, version) VALUES (?, ?)").execute(arguments: name)
    return database.lastInsertedRowID
  }
}
