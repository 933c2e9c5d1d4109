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
    // A second in which frames came late is part of its screen, which is told of when it ends.
    guard values.text("scope") != "second", let frames = values.count("frames") else { return }
    try database.cachedStatement(sql: "INSERT OR IGNORE INTO screen_frames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: [
        event.id, event.session, try build(event), event.timestamp, String((values.text("screen") ?? "").prefix(200)),
        (values.microseconds("durationMs") ?? 0) / 1000, frames, values.count("slow") ?? 0,
        values.count("frozen") ?? 0, values.microseconds("worstMs") ?? 0,
      ])
  }

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
