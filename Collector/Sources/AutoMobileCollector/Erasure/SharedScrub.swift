import AutoMobileState
import Foundation
import GRDB

/// What others share with erased sessions, looked at when these are gone. Each is one short transaction, and can be done again.
struct SharedScrub {
  let database: Database
  let state: SQLiteState
  let erasure: Int64
  let maximumDepth: Int

  /// One of what was written down; false when nothing is left.
  func step() throws -> Bool {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT what, name FROM erasure_shared WHERE erasure = ? AND what <> 'pack' ORDER BY what = 'host', what, name LIMIT 1
          """, arguments: [erasure])
    else { return false }
    let (what, name): (String, String) = (row[0], row[1])
    switch what {
    case "issue": try scrub(issue: name)
    case "route": try removeRoute(name)
    // Hosts come last: routes are found with them.
    case "host":
      let used = ["network", "network_route"].map { "SELECT 1 FROM \($0) WHERE host = network_host.id" }
      try remove("network_host", name, unless: used.joined(separator: " UNION ALL "))
    case "type": try remove("event_type", name, unless: "SELECT 1 FROM event WHERE type = event_type.id")
    case "build":
      let used = ["launch_time", "screen_frames", "tap_trouble"].map { "SELECT 1 FROM \($0) WHERE build = build.id" }
      try remove("build", name, unless: used.joined(separator: " UNION ALL "))
    default: break
    }
    try database.execute(
      sql: "DELETE FROM erasure_shared WHERE erasure = ? AND what = ? AND name = ?", arguments: [erasure, what, name])
    return true
  }

  private func remove(_ table: String, _ id: String, unless used: String) throws {
    try database.execute(
      sql: "DELETE FROM \(table) WHERE id = ? AND NOT EXISTS (\(used))", arguments: [Int64(id)])
    try Erasure.count([table: Int64(database.changesCount)], of: erasure, in: database)
  }

  // MARK: Routes

  private func removeRoute(_ id: String) throws {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT network_host.name || pattern, network_host.id FROM network_route JOIN network_host ON network_host.id = host
        WHERE network_route.id = ?1
          AND NOT EXISTS (SELECT 1 FROM network WHERE network.host = network_route.host AND network.route = ?1)
        """, arguments: [Int64(id)])
    guard let row else { return }
    try database.execute(sql: "DELETE FROM network_route WHERE id = ?", arguments: [Int64(id)])
    try Erasure.count(["network_route": 1], of: erasure, in: database)
    // An alert about requests is about `GET host/path`. Another host may end like this one.
    let place = (row[0] as String).keepable
    let subjects = try state.within(database) { try AlertOutbox.subjects(in: $0.reading) }
    for subject in subjects {
      let name = subject.utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst()
      if name.elementsEqual(place.utf8) { try removeAlerts(of: subject) }
    }
  }

  // MARK: Alerts

  /// Where the state is kept for itself, and first, a process that dies before the step is noted does it again: what went is
  /// missing in the receipt's count then, and nowhere else.
  private func removeAlerts(of subject: String) throws {
    let gone = try state.within(database) { try AlertOutbox.erase(subject, in: $0) }
    try Erasure.count(["alert_message": gone.messages, "alert_log": gone.entries], of: erasure, in: database)
  }

  // MARK: Issues

  /// What it says is said by the newest report that is left; its own words in places where people see it go.
  private func scrub(issue name: String) throws {
    try removeAlerts(of: name)
    try database.execute(
      sql: "UPDATE issue_merge SET message = NULL, template = NULL WHERE name = ?1 OR target = ?1", arguments: [name])
    try database.execute(
      sql: """
        UPDATE issue_change SET value = json_set(value, '$.title', '')
        WHERE what IN ('merged', 'split') AND json_valid(value)
          AND (name = ?1 OR json_extract(value, '$.issue') = ?1) AND json_extract(value, '$.title') IS NOT NULL
        """, arguments: [name])
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
