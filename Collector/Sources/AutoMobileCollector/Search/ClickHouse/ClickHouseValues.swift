import AutoMobileClickHouse
import Foundation

/// Values of fields, read out of ClickHouse.
///
/// What is another than in SQLite's index: who an issue is assigned to is set by people, and no store of telemetry knows it; and the
/// types of events are those of the newest sessions for everybody.
struct ClickHouseValues: ValueReading {
  let telemetry: ClickHouseTelemetry

  func values(
    _ scope: ReadScope, of field: SearchField, in domain: SearchDomain, beginning: String
  ) async throws -> [FieldValue] {
    if !field.choices.isEmpty { return field.choices(beginning) }
    guard field.hasValues else { return [] }
    return try await telemetry.read(scope) { reading in
      switch field.name {
      case "name": return try await reading.said("custom", "name", beginning).first(FieldValue.most)
      case "tag":
        var counts = try await reading.counts(Self.tags(reading), beginning, FieldValue.newest).unescaped
        if domain == .events { counts.add(try await reading.said("log", "tag", beginning)) }
        return counts.first(FieldValue.most)
      case "method", "tracer", "operation", "mock", "host", "route":
        return try await Self.requests(field.name, reading, beginning).first(FieldValue.most)
      default:
        guard let source = Self.source(field, domain, reading) else { return [] }
        return try await reading.counts(source, beginning, FieldValue.most).first(FieldValue.most)
      }
    }
  }

  // MARK: Sources

  /// A statement that gives a column `value`.
  private static func source(_ field: SearchField, _ domain: SearchDomain, _ reading: ClickHouseReading) -> SeenSQL? {
    func sessions(_ value: SQL) -> SeenSQL { self.sessions(value, [], FieldValue.newest, reading) }
    switch field.name {
    case "user": return sessions("said_user")
    case "app": return sessions("said_bundle")
    case "version": return sessions("said_version")
    case "device": return sessions(ClickHouseSessionTerms.model)
    case "os": return sessions(ClickHouseSessionTerms.system)
    case "screen": return self.sessions("arrayJoin(said_screens)", ["screens"], FieldValue.newest / 10, reading)
    case "type" where domain == .issues: return issues("cause", reading)
    case "type":
      return self.sessions("arrayJoin(said_types)", ["types"], FieldValue.newest / 10, reading).inside {
        "SELECT DISTINCT value FROM (\($0))"
      }
    case "file": return issues("file", reading)
    default: return nil
    }
  }

  private static func tags(_ reading: ClickHouseReading) -> SeenSQL {
    sessions(
      "arrayJoin(if(length(said_tags) > 4, \(ClickHouseSessionTerms.tags), emptyArrayString()))", [],
      FieldValue.newest / 10, reading)
  }

  /// Of the sessions that were heard of last.
  ///
  /// - Parameter more: columns that are needed besides.
  private static func sessions(
    _ value: SQL, _ more: [String], _ count: Int, _ reading: ClickHouseReading
  ) -> SeenSQL {
    let selected: [SQL] = more.map { column in
      let merged = SessionTables.value(column) ?? "''"
      return column == "types" ? "\(merged) AS said_types" : "\(merged) AS said_screens"
    }
    let newest = SeenSessions(selected: ClickHouseSessionTerms.said + selected, order: ["said_last DESC"], limit: count)
    return reading.sessions(newest).inside { "SELECT \(value) AS value FROM (\($0))" }
  }

  /// Each issue once, as its newest report has it.
  private static func issues(_ column: SQLName, _ reading: ClickHouseReading) -> SeenSQL {
    let rows = DistinctRows(TelemetryTables.reports, ["project", "fingerprint", "timestamp", column])
    return reading.distinct(rows, selecting: ["project", "fingerprint", "timestamp", "\(column)"]).inside {
      """
      SELECT fingerprint, argMax(ifNull(\(column), ''), timestamp) AS value FROM (\($0)) GROUP BY project, fingerprint
      """
    }
  }

  private static func requests(
    _ name: String, _ reading: ClickHouseReading, _ beginning: String
  ) async throws -> ValueCounts {
    let columns: [String: SQLName] = [
      "method": "method", "tracer": "tracer", "operation": "operation", "mock": "mock", "host": "host",
      "route": "route",
    ]
    guard let column = columns[name] else { return ValueCounts() }
    let rows = OrderedRows(
      DistinctRows(TelemetryTables.requests, [column]), by: "timestamp", isAscending: false, after: nil,
      limit: FieldValue.newest)
    // How many there are says whether all of them have been looked at.
    let found = try await reading.ordered(
      rows, selecting: ["ifNull(\(column), '') AS value"], { "SELECT value, count() FROM (\($0)) GROUP BY value" },
      count: { $0.reduce(0) { $0 + Int($1.count) } }
    ) { FieldCount(value: try $0.string(), count: Int64(clamping: try $0.int(UInt64.self))) }
    return ValueCounts(found.filter { $0.isMeant(beginning) })
  }
}

/// How often a field has a value.
struct FieldCount: Sendable {
  var value: String
  var count: Int64

  func isMeant(_ beginning: String) -> Bool {
    !value.isEmpty && (beginning.isEmpty || EventMember.isName(value, .text(beginning, isExact: false)))
  }
}

/// Values with how often each is there.
struct ValueCounts: Sendable {
  private var counts: [String: Int64] = [:]

  init(_ found: [FieldCount] = []) { for one in found { counts[one.value, default: 0] += one.count } }

  mutating func add(_ other: ValueCounts) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Of what stands in texts of JSON.
  var unescaped: ValueCounts {
    ValueCounts(
      counts.map { value, count in
        let text = value.contains("\\") ? try? JSONDecoder().decode(String.self, from: Data("\"\(value)\"".utf8)) : nil
        return FieldCount(value: text ?? value, count: count)
      })
  }

  /// The most frequent ones.
  func first(_ count: Int) -> [FieldValue] {
    counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(count)
      .map { FieldValue(text: String($0.key.prefix(FieldValue.letters)), count: $0.value) }
  }
}

extension ClickHouseReading {
  /// - Parameter source: gives a column `value`.
  fileprivate func counts(_ source: SeenSQL, _ beginning: String, _ most: Int) async throws -> ValueCounts {
    let meant: SQL =
      beginning.isEmpty ? "1" : ClickHouseTerms.name("value", .text(beginning, isExact: false))
    let statement = source.inside { source in
      """
      SELECT value, count() AS number FROM (\(source)) WHERE notEmpty(value) AND (\(meant)) \
      GROUP BY value ORDER BY number DESC, value LIMIT \(count: most)
      """
    }
    return ValueCounts(
      try await rows(statement) { FieldCount(value: try $0.string(), count: Int64(clamping: try $0.int(UInt64.self))) })
  }

  /// What the newest events of a type have in a member, of those that fit into one answer.
  fileprivate func said(_ type: String, _ member: String, _ beginning: String) async throws -> ValueCounts {
    let arrived = try await rows(
      copies(
        "project, session, id, timestamp", of: TelemetryTables.arrivals, ["type = \(text: type)"],
        "ORDER BY id DESC LIMIT 1000")
    ) { try EventPlace(&$0) }
    let payloads = try await payloads(try await verified(arrived), bytes: limits.pageBytes).json
    let values = payloads.values.flatMap {
      EventMember.values([member], in: $0, maximumDepth: limits.jsonDepth).prefix(1)
    }
    return ValueCounts(values.map { FieldCount(value: $0, count: 1) }.filter { $0.isMeant(beginning) })
  }
}

extension SearchField {
  /// Those of ``choices`` that begin so.
  func choices(_ beginning: String) -> [FieldValue] {
    choices.filter { $0.hasPrefix(beginning.lowercased()) }.map { FieldValue(text: $0) }
  }
}
