import AutoMobileClickHouse
import Foundation

/// Events, read out of ClickHouse.
///
/// What is found is found by columns without payloads; payloads are read of what is given out. An event that came twice has the
/// lower of its numbers, wherever it lies.
struct ClickHouseEvents: EventReading {
  let telemetry: ClickHouseTelemetry
  /// What a search may take before it gives out what it has, and where to go on.
  var patience: Duration = .seconds(2)

  /// Of one millisecond a crash is the last (``EventOrder``).
  static let tie: SQL = "(id + (type = 'crash') * \(EventOrder.crashes))"

  static func isAfter(_ cursor: PageCursor) -> SQL {
    "timestamp > \(cursor.key) OR (timestamp = \(cursor.key) AND \(tie) > \(cursor.id))"
  }

  static func isBefore(_ cursor: PageCursor) -> SQL {
    "timestamp < \(cursor.key) OR (timestamp = \(cursor.key) AND \(tie) < \(cursor.id))"
  }

  func timeline(
    _ scope: ReadScope, of session: String, _ part: TimelinePart, limit: Int, filter: EventFilter
  ) async throws -> Page<EventRow>? {
    try await telemetry.read(scope, filter.query.isEmpty ? .light : .heavy) { reading in
      guard let name = try await reading.session(named: session) else { return nil }
      let question = try EventQuestion(filter, in: .session(name), reading)
      var distinct = question.rows(EventPlace.columns, range: name.range)
      distinct.order = ["timestamp", Self.tie]
      switch part {
      case .start: break
      case .after(let place):
        distinct.range.append("timestamp >= \(place.key)")
        distinct.filter.append(Self.isAfter(place))
      case .before(let place):
        distinct.range.append("timestamp <= \(place.key)")
        distinct.filter.append(Self.isBefore(place))
        distinct.order = ["timestamp DESC", "\(Self.tie) DESC"]
      }
      let (places, isWhole) = try await reading.places(distinct, question, limit: limit)
      var page = try await reading.fetch(places, bytes: reading.limits.pageBytes)
      if !isWhole { page.isFull = true }
      if part.isBackwards { page.rows.reverse() }
      return page
    }
  }

  func events(
    _ scope: ReadScope, _ ids: [Int64], of session: String, after: PageCursor?
  ) async throws -> Page<EventRow> {
    guard !ids.isEmpty else { return Page() }
    return try await telemetry.read(scope) { reading in
      guard let name = try await reading.session(named: session) else { return Page() }
      var distinct = DistinctRows(TelemetryTables.events, columns: EventPlace.columns + ["type"])
      distinct.range = name.range
      distinct.filter = [ClickHouseTerms.among("id", ids)]
      if let after { distinct.filter.append(Self.isAfter(after)) }
      distinct.order = ["timestamp", Self.tie]
      let places = try await reading.rows(
        reading.distinct(distinct, selecting: ["project", "session", "id", "timestamp"])
      ) { try EventPlace(&$0) }
      return try await reading.fetch(places, bytes: reading.limits.pageBytes)
    }
  }

  func event(_ scope: ReadScope, _ id: Int64) async throws -> (event: EventRow, app: String?)? {
    try await telemetry.read(scope) { reading -> (event: EventRow, app: String?)? in
      guard let row = try await reading.event(id) else { return nil }
      let statement = reading.sessions(
        SeenSessions(
          selected: [SessionColumns.bundle],
          range: ["project = \(text: row.project)", "session = \(text: row.event.sessionId)"]))
      let app = try await reading.rows(statement) { row in
        _ = try SessionName(&row)
        return try row.string()
      }.first
      return (row.event, app.flatMap { $0.isEmpty ? nil : $0 })
    }
  }

  func before(_ scope: ReadScope, _ event: EventRow, launch: String?, limit: Int) async throws -> [EventRow] {
    let end = EventOrder.cursor(event)
    return try await telemetry.read(scope) { reading in
      guard let own = try await reading.event(event.id) else { return [] }
      var places: [EventPlace] = []
      if let launch {
        let sessions = try await reading.sessions(ofLaunch: launch, of: own.project)
        if !sessions.isEmpty {
          let names = SQL.joined(sessions.map { "\(text: $0)" }, ", ")
          places = try await reading.last(
            limit, before: end,
            ["project = \(text: own.project)", "session IN (\(names))", "launch = \(text: launch)"])
        }
      }
      if places.isEmpty {
        places = try await reading.last(
          limit, before: end, ["project = \(text: own.project)", "session = \(text: event.sessionId)"])
      }
      return try await reading.fetch(places, bytes: reading.limits.pageBytes).rows.reversed()
    }
  }
}

extension ClickHouseReading {
  /// The last events that happened before a place, the newest first.
  fileprivate func last(_ limit: Int, before end: PageCursor, _ range: [SQL]) async throws -> [EventPlace] {
    var distinct = DistinctRows(TelemetryTables.events, columns: EventPlace.columns + ["type"])
    distinct.range = range + ["timestamp <= \(end.key)"]
    distinct.filter = [ClickHouseEvents.isBefore(end)]
    distinct.order = ["timestamp DESC", "\(ClickHouseEvents.tie) DESC"]
    distinct.limit = limit
    return try await rows(self.distinct(distinct, selecting: ["project", "session", "id", "timestamp"])) {
      try EventPlace(&$0)
    }
  }

  /// The sessions that a launch was in.
  func sessions(ofLaunch launch: String, of project: String) async throws -> [String] {
    let statement = copies(
      "DISTINCT session", of: TelemetryTables.launchParts,
      ["project = \(text: project)", "launch = \(text: launch)", "notEmpty(session)"], "LIMIT 1000")
    return try await rows(statement) { try $0.string() }
  }
}
