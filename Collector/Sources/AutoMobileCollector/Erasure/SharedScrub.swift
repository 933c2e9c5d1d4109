import AutoMobileState
import Foundation
import GRDB

/// What others share with erased sessions, looked at when these are gone. Each is one short step, and can be done again.
///
/// The state goes first, and the note that something is to be looked at goes with the index's own part: a process that ends between the
/// two does the step again. What went of the state then is missing in the receipt's count, and nowhere else.
struct SharedScrub {
  let store: EventStore
  let erasure: Int64

  /// What is to be looked at.
  private struct Item: Sendable {
    var what: String
    var name: String
    /// Of a route that nobody uses any more: `host/path`, as alerts name it.
    var place: String?
  }

  /// One of what was written down; false when nothing is left.
  func step() throws -> Bool {
    guard let item = try store.pool.read(next) else { return false }
    // What issues were called stands in what the state has not been told yet.
    try store.tellState()
    let gone = try store.state.writeNow {
      try SharedScrubOfState(what: item.what, name: item.name, place: item.place).run(in: $0)
    }
    try store.pool.write { database in
      try Erasure.count(gone, of: erasure, in: database)
      try scrub(item, in: database)
      try database.execute(
        sql: "DELETE FROM erasure_shared WHERE erasure = ? AND what = ? AND name = ?",
        arguments: [erasure, item.what, item.name])
    }
    return true
  }

  private func next(_ database: Database) throws -> Item? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT what, name FROM erasure_shared WHERE erasure = ? AND what <> 'pack' ORDER BY what = 'host', what, name LIMIT 1
        """, arguments: [erasure])
    guard let row else { return nil }
    return Item(
      what: row[0], name: row[1], place: row[0] == "route" ? try unusedRoute(row[1], in: database) : nil)
  }

  private func scrub(_ item: Item, in database: Database) throws {
    switch item.what {
    case "issue": try scrub(issue: item.name, in: database)
    case "route":
      guard try unusedRoute(item.name, in: database) != nil else { return }
      try database.execute(sql: "DELETE FROM network_route WHERE id = ?", arguments: [Int64(item.name)])
      try Erasure.count(["network_route": 1], of: erasure, in: database)
    // Hosts come last: routes are found with them.
    case "host":
      let used = ["network", "network_route"].map { "SELECT 1 FROM \($0) WHERE host = network_host.id" }
      try remove("network_host", item.name, unless: used.joined(separator: " UNION ALL "), in: database)
    case "type":
      try remove("event_type", item.name, unless: "SELECT 1 FROM event WHERE type = event_type.id", in: database)
    case "build":
      let used = ["launch_time", "screen_frames", "tap_trouble"].map { "SELECT 1 FROM \($0) WHERE build = build.id" }
      try remove("build", item.name, unless: used.joined(separator: " UNION ALL "), in: database)
    default: break
    }
  }

  private func remove(_ table: String, _ id: String, unless used: String, in database: Database) throws {
    try database.execute(
      sql: "DELETE FROM \(table) WHERE id = ? AND NOT EXISTS (\(used))", arguments: [Int64(id)])
    try Erasure.count([table: Int64(database.changesCount)], of: erasure, in: database)
  }

  private func unusedRoute(_ id: String, in database: Database) throws -> String? {
    try String.fetchOne(
      database,
      sql: """
        SELECT network_host.name || pattern FROM network_route JOIN network_host ON network_host.id = host
        WHERE network_route.id = ?1
          AND NOT EXISTS (SELECT 1 FROM network WHERE network.host = network_route.host AND network.route = ?1)
        """, arguments: [Int64(id)])
  }

  /// What it says is said by the newest report that is left; its own words in places where people see it go.
  private func scrub(issue name: String, in database: Database) throws {
    // A copy of the state has them, too.
    try store.own.within(database) { try SharedScrubOfState.forgetWords(of: name, in: $0) }
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT issue.id, event.payload, event_type.name FROM issue LEFT JOIN event ON event.id = sample
            LEFT JOIN event_type ON event_type.id = event.type WHERE issue.name = ?
          """, arguments: [name])
    else { return try Erasure.count(["issue": 1], of: erasure, in: database) }
    try IssueWriter(database).describeAnew(row[0], row[1], type: row[2])
    try Erasure.count(["issue_described_anew": 1], of: erasure, in: database)
  }
}
