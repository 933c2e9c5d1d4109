import AutoMobileClickHouse
import Foundation

/// Where an event is, without what is in it: enough to find it again.
struct EventPlace: Sendable {
  var project: String
  var session: String
  var id: Int64
  var timestamp: Int64

  /// The columns that it is read of.
  static let columns: [StaticString] = ["project", "session", "id", "timestamp"]

  init(project: String, session: String, id: Int64, timestamp: Int64) {
    self.project = project
    self.session = session
    self.id = id
    self.timestamp = timestamp
  }

  init(_ row: inout RowBinaryReader) throws {
    self.init(project: try row.string(), session: try row.string(), id: try row.int(), timestamp: try row.int())
  }

  /// All rows of these events lie here, and few others.
  static func range(_ places: [EventPlace]) -> [SQL] {
    func names(_ values: some Sequence<String>) -> SQL {
      SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
    }
    let times = places.map(\.timestamp)
    return [
      "project IN (\(names(places.map(\.project))))", "session IN (\(names(places.map(\.session))))",
      "timestamp >= \(times.min() ?? 0) AND timestamp <= \(times.max() ?? 0)",
    ]
  }

  /// That a row has one of their numbers.
  static func numbers(_ places: some Sequence<EventPlace>) -> SQL { ClickHouseTerms.among("id", places.map(\.id)) }

  /// That a row is of one of their times: few are, and all copies of these events.
  static func times(_ places: some Sequence<EventPlace>) -> SQL {
    ClickHouseTerms.among("timestamp", places.map(\.timestamp))
  }
}

extension ClickHouseReading {
  /// Of events that may be copies of others: those that are not. An event that came twice has two numbers, and the lower is its.
  func verified(_ places: [EventPlace]) async throws -> [EventPlace] {
    guard !places.isEmpty else { return [] }
    var distinct = DistinctRows(TelemetryTables.events, columns: ["id"])
    distinct.first = [EventPlace.times(places)]
    distinct.range = EventPlace.range(places)
    distinct.filter = [EventPlace.numbers(places)]
    let own = Set(try await rows(self.distinct(distinct)) { try $0.int(Int64.self) })
    return places.filter { own.contains($0.id) }
  }

  /// The events of these places in their order, as many as are not too large together; one at least, where there is any.
  func fetch(_ places: [EventPlace], bytes: Int) async throws -> Page<EventRow> {
    guard !places.isEmpty else { return Page() }
    let (payloads, count) = try await payloads(places, bytes: bytes, besides: 400)
    let wanted = places.prefix(count).filter { payloads[$0.id] != nil }
    let found = try await events(wanted, payloads)
    return Page(rows: wanted.compactMap { found[$0.id] }, isFull: count < places.count)
  }

  private struct Found: Sendable {
    var row: EventRow
    var project: String
    var context: Int64?
  }

  private func events(_ places: [EventPlace], _ payloads: [Int64: Data]) async throws -> [Int64: EventRow] {
    guard !places.isEmpty else { return [:] }
    var distinct = DistinctRows(
      TelemetryTables.events,
      columns: [
        "id", "launch", "position", "type", "timestamp", "received", "session", "project", "context",
      ])
    // They are known to be no copies: what is not one of them need not be read.
    distinct.first = [EventPlace.numbers(places)]
    distinct.range = EventPlace.range(places)
    var found = try await rows(self.distinct(distinct)) { row in
      var event = EventRow(
        id: try row.int(), launchId: try row.string(), sequence: try row.int(), eventType: try row.string(),
        timestamp: try row.int(), receivedAt: try row.int(), sessionId: try row.string(), payload: Data())
      let project = try row.string()
      let context = try row.nullable { try $0.int(Int64.self) }
      event.payload = payloads[event.id] ?? Data()
      return Found(row: event, project: project, context: context)
    }
    let contexts = try await contexts(
      found.compactMap { one in one.context.map { (one.project, one.row.launchId, $0) } })
    let culprits = try await culprits(
      of: found.filter { Self.reported.contains($0.row.eventType) }.map {
        EventPlace(
          project: $0.project, session: $0.row.sessionId, id: $0.row.id, timestamp: $0.row.timestamp)
      })
    for index in found.indices {
      let one = found[index]
      if let number = one.context {
        found[index].row.context =
          contexts[
            ContextName(project: one.project, launch: one.row.launchId, number: number)]
      }
      found[index].row.culprit = culprits[one.row.id] ?? nil
    }
    return Dictionary(found.map { ($0.row.id, $0.row) }, uniquingKeysWith: { first, _ in first })
  }

  private static let reported: Set = ["crash", "hang", "handled_exception"]

  /// The functions at fault, as the reports themselves have them, with what symbols say.
  private func culprits(of events: [EventPlace]) async throws -> [Int64: String?] {
    guard !events.isEmpty else { return [:] }
    var reports = DistinctRows(TelemetryTables.reports, columns: ["id", "culprit"])
    reports.range = EventPlace.range(events) + [EventPlace.numbers(events)]
    let statement = distinct(reports, selecting: ["id", "culprit"])
    let found = try await rows(statement) { (try $0.int(Int64.self), try $0.nullable { try $0.string() }) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}

/// What a context is called.
struct ContextName: Hashable, Sendable {
  var project: String
  var launch: String
  var number: Int64
}

extension ClickHouseReading {
  /// What contexts say, as JSON.
  func contexts(_ names: [(project: String, launch: String, number: Int64)]) async throws -> [ContextName: Data] {
    guard !names.isEmpty else { return [:] }
    func texts(_ values: some Sequence<String>) -> SQL {
      SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
    }
    var distinct = DistinctRows(TelemetryTables.contexts, columns: ["project", "launch", "context", "json"])
    distinct.range = [
      "project IN (\(texts(names.map(\.project))))", "launch IN (\(texts(names.map(\.launch))))",
      ClickHouseTerms.among("context", names.map(\.number)),
    ]
    let found = try await rows(self.distinct(distinct)) {
      (
        ContextName(project: try $0.string(), launch: try $0.string(), number: try $0.int()),
        Data(buffer: try $0.bytes())
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
