import AutoMobileClickHouse
import Foundation

/// A session laid out.
extension ClickHouseEvents {
  /// Screens that are named in one answer.
  private static let screens = 20_000
  /// Longer navigations are not opened, in bytes.
  private static let longestNavigation: Int64 = 8192

  private struct Point: Sendable {
    var timestamp: Int64
    var id: Int64
    var type: String
    var launch: String
    var severity: Int64
    var duration: Int64?
    var origin: Int64
  }

  /// Numbers of names, in the order in which they come.
  private struct Names {
    private(set) var all: [String] = []
    private var numbers: [String: Int64] = [:]
    private var last: (name: String, number: Int64)?

    mutating func number(of name: String) -> Int64 {
      // Runs of the same are the rule.
      if let last, last.name == name { return last.number }
      let number = numbers[name] ?? Int64(all.count)
      if number == all.count {
        all.append(name)
        numbers[name] = number
      }
      last = (name, number)
      return number
    }
  }

  func outline(
    _ scope: ReadScope, of session: String, newer: Int64?, query: SearchQuery
  ) async throws -> OutlineColumns? {
    try await telemetry.read(scope, query.isEmpty ? .light : .heavy) { reading in
      guard let name = try await reading.session(named: session) else { return nil }
      let question = try EventQuestion(EventFilter(query: query), in: .session(name), reading)
      // It is told when the session is over, often by a later launch, and nothing happened then.
      var rows = question.rows(
        ["timestamp", "id", "launch", "severity", "duration", "origin"],
        range: name.range + ["type != 'session_summary'"])
      if let newer { rows.filter.append("id > \(newer)") }
      rows.order = ["timestamp", "id"]
      rows.limit = OutlineColumns.most
      var points = try await reading.rows(
        reading.distinct(rows, selecting: ["timestamp", "id", "type", "launch", "severity", "duration", "origin"])
      ) {
        Point(
          timestamp: try $0.int(), id: try $0.int(), type: try $0.string(), launch: try $0.string(),
          severity: Int64(try $0.int(UInt8.self)), duration: try $0.nullable { try $0.int() }, origin: try $0.int())
      }
      if let rest = question.rest {
        let meant = try await reading.meant(
          points.map { EventPlace(project: name.project, session: name.session, id: $0.id, timestamp: $0.timestamp) },
          rest)
        points = points.filter { meant.contains($0.id) }
      }
      var columns = OutlineColumns()
      var (types, launches) = (Names(), Names())
      columns.crash = types.number(of: "crash")
      columns.custom = types.number(of: "custom")
      for point in points {
        columns.add(
          timestamp: point.timestamp, id: point.id, type: types.number(of: point.type),
          launch: launches.number(of: point.launch), severity: point.severity, duration: point.duration,
          origin: point.origin)
      }
      columns.addNames {
        types.all[Int($0)]
      } launch: {
        launches.all[Int($0)]
      }
      if query.isEmpty { columns.screens = try await screens(name, newer: newer, reading) }
      return columns
    }
  }

  /// Where navigations went, by event.
  private func screens(
    _ session: SessionName, newer: Int64?, _ reading: ClickHouseReading
  ) async throws -> [(id: Int64, name: String)] {
    var rows = DistinctRows(TelemetryTables.events, columns: ["id", "timestamp", "payload"])
    rows.range = session.range + ["type = 'navigation'"]
    rows.filter = ["id > \(newer ?? -1)"]
    rows.order = ["timestamp", "id"]
    rows.limit = Self.screens
    let payload: SQL = "if(length(payload) <= \(Self.longestNavigation), payload, '{}')"
    let depth = reading.limits.jsonDepth
    return try await reading.rows(reading.distinct(rows, selecting: ["id", payload])) { row in
      let id: Int64 = try row.int()
      let name = EventMember.values(["destination"], in: Data(buffer: try row.bytes()), maximumDepth: depth).first
      return (id, String((name ?? "").prefix(200)))
    }
  }
}
