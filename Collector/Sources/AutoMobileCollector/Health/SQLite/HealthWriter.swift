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

  /// The names of the SDK's own measurements.
  static let launchName: StaticString = "App Launch"
  static let framesName: StaticString = "Frames"

  private static let maximumSize = 16 << 10

  let database: Database

  init(_ database: Database) { self.database = database }

  /// Adds a custom event, when it is one of these. What is no plausible number is passed over.
  func add(_ event: Event, _ payload: UnsafeRawBufferPointer) throws {
    guard payload.count <= Self.maximumSize,
      let tree = try? JSONTree(checking: payload, maximumDepth: 8), let properties = tree["properties"]
    else { return }
    let values = Properties(tree: properties)
    switch tree["name"]?.string {
    case "\(Self.launchName)": try addLaunch(event, values)
    case "\(Self.framesName)": try addFrames(event, values)
    default: break
    }
  }

  private func addLaunch(_ event: Event, _ values: Properties) throws {
    guard let total = values.microseconds("totalMs") else { return }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO launch_time VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        event.id, event.session, try build(event), event.timestamp, String((values.text("kind") ?? "").prefix(40)),
        total, values.microseconds("preMainMs"),
      ])
  }

  private func addFrames(_ event: Event, _ values: Properties) throws {
    guard let frames = values.count("frames") else { return }
    let screen = String((values.text("screen") ?? "").prefix(200))
    let duration = (values.microseconds("durationMs") ?? 0) / 1000
    // A second in which frames came late is part of its visit, which is told of when it ends: then it is not counted any
    // more. When the process ends first, the seconds are all that is known.
    let isSecond = values.text("scope") == "second"
    if isSecond {
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
        event.id, event.session, try build(event), event.timestamp, screen, duration, frames,
        values.count("slow") ?? 0, values.count("frozen") ?? 0, values.microseconds("worstMs") ?? 0, isSecond,
      ])
  }

  /// Between the end of a visit's last frame and the event that tells of it, in milliseconds.
  private static let slack: Int64 = 1000

  // MARK: Taps

  /// The gestures that show that something is wrong.
  static let rageTap: StaticString = "rage_tap"
  static let deadTap: StaticString = "dead_tap"

  /// Adds an interaction, when it is one of these: by the screen that was shown and what was tapped.
  func addTap(_ event: Event, _ payload: UnsafeRawBufferPointer) throws {
    guard payload.count <= Self.maximumSize, let tree = try? JSONTree(checking: payload, maximumDepth: 8),
      let kind = tree["interactionType"]?.string, ["\(Self.rageTap)", "\(Self.deadTap)"].contains(kind)
    else { return }
    let properties = tree["properties"]
    let names = ["text", "accessibilityLabel", "accessibilityIdentifier", "viewType"]
    let element = names.lazy.compactMap { properties?[$0]?.string }.first { !$0.isEmpty }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO tap_trouble VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
      arguments: [
        event.id, event.session, try build(event), event.timestamp, kind,
        try properties?["screen"]?.string.map { String($0.prefix(200)) } ?? screen(of: event),
        String((element ?? "").prefix(200)),
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

  /// Properties as the SDK writes them: numbers, or numbers as text.
  private struct Properties {
    var tree: JSONTree

    func text(_ name: String) -> String? { tree[name]?.string }

    private func number(_ name: String) -> Double? {
      let value = tree[name]
      return value?.number ?? value?.string.flatMap(Double.init)
    }

    /// Of milliseconds, up to a day.
    func microseconds(_ name: String) -> Int64? {
      guard let value = number(name), (0...86_400_000).contains(value) else { return nil }
      return Int64((value * 1000).rounded())
    }

    func count(_ name: String) -> Int64? {
      guard let value = number(name), (0...1e9).contains(value) else { return nil }
      return Int64(value.rounded())
    }
  }
}
