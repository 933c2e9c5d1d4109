import AutoMobileClickHouse
import Foundation

/// What is passed on, out of ClickHouse: in the order in which collectors said that it is there (``ArrivalOrder``), so that one goes on
/// where another one ended, and what comes late goes out late.
struct ClickHouseForwards: ForwardReading {
  let telemetry: ClickHouseTelemetry
  let order: ArrivalOrder

  /// Milliseconds of what one collector takes in, at most.
  private static let stride: Int64 = 10_000
  /// Arrivals that are looked at in one go where few of them are wanted.
  private static let window = 2000
  /// Looks at the same: what is read in two steps may be put together, or removed, between them.
  private static let attempts = 3

  func newest(_ scope: ReadScope?) async throws -> Int64 { try await order.end() }

  func stride(_ limits: ForwardLimits) -> Int64 { FrameNumbers.places(in: Self.stride) }

  func look(
    after cursor: Int64, _ filter: ForwardFilter, records: Int, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> ForwardLook {
    let slice = try await order.slice(after: cursor)
    guard !slice.ranges.isEmpty else { return ForwardLook(end: slice.end, isLast: slice.isLast) }
    return try await telemetry.readOwn { [order] reading in
      var attempt = 1
      while true {
        let (look, isWhole) = try await reading.look(slice, order, filter, records, limits)
        if isWhole || attempt == Self.attempts { return look }
        attempt += 1
      }
    }
  }

  // MARK: What waits

  func behind(_ scope: ReadScope?, _ cursors: Set<Int64>) async throws -> [Int64: Int64] {
    var behind: [Int64: Int64] = [:]
    for cursor in cursors { behind[cursor] = try await self.behind(cursor) }
    return behind
  }

  private func behind(_ cursor: Int64) async throws -> Int64 {
    var (count, cursor): (Int64, Int64) = (0, cursor)
    while true {
      let slice = try await order.slice(after: cursor)
      if !slice.ranges.isEmpty { count += try await telemetry.readOwn { try await $0.count(slice.ranges) } }
      guard !slice.isLast else { return count }
      cursor = slice.end
    }
  }

  func place(leaving most: Int64, after cursor: Int64) async throws -> Int64? {
    var excess = try await behind(cursor) - most
    guard excess > 0 else { return nil }
    var cursor = cursor
    while true {
      let slice = try await order.slice(after: cursor)
      guard !slice.ranges.isEmpty else { return slice.end }
      let count = try await telemetry.readOwn { try await $0.count(slice.ranges) }
      if count > excess {
        let last = excess
        return try await telemetry.readOwn { try await $0.place(of: last, in: slice) }
      }
      if slice.isLast || count == excess { return slice.end }
      (excess, cursor) = (excess - count, slice.end)
    }
  }

  func count(
    after cursor: Int64, upTo end: Int64, _ filter: ForwardFilter, _ limits: ForwardLimits, on thread: QuietThread
  ) async throws -> (count: Int, end: Int64) {
    let slice = try await order.slice(after: cursor)
    let to = min(slice.end, end)
    let part = ArrivalSlice(ranges: slice.ranges.compactMap { $0.part(after: cursor, upTo: to) }, end: to, isLast: true)
    guard !part.ranges.isEmpty else { return (0, end) }
    return try await telemetry.readOwn { [order] reading in
      let arrived = try await reading.arrived(part, order, most: 5 * Self.window, filter.range)
      let wanted = try await reading.wanted(arrived.events, filter)
      // A span counts with its end.
      let open = filter.signal == .traces ? try await reading.open(wanted.map(\.event)) : []
      return (wanted.count { !open.contains($0.event.event.id) }, arrived.end)
    }
  }
}

extension ForwardFilter {
  /// What holds of an arrival that may be wanted.
  fileprivate var range: [SQL] {
    func list(_ types: [String]) -> SQL { SQL.joined(types.map { "\(text: $0)" }, ", ") }
    var range: [SQL] = [
      signal == .traces ? "type IN (\(list(OutgoingRule.spanTypes)))" : "type NOT IN (\(list(OutgoingRule.spanTypes)))",
      // Opened from a file: no news.
      "NOT startsWith(project, 'file ')",
    ]
    if let types { range.append(types.isEmpty ? "0" : "type IN (\(list(types.sorted())))") }
    return range
  }
}

private struct WantedEvent: Sendable {
  var event: ArrivedEvent
  var fact: SessionFact?
}

extension ClickHouseReading {
  fileprivate func look(
    _ slice: ArrivalSlice, _ order: ArrivalOrder, _ filter: ForwardFilter, _ records: Int, _ limits: ForwardLimits
  ) async throws -> (look: ForwardLook, isWhole: Bool) {
    let isPicky = filter.level > 0 || filter.bundleId != nil
    let most = isPicky ? max(records, 2000) : records
    let arrived = try await arrived(slice, order, most: most, filter.range)
    var wanted = try await wanted(arrived.events, filter)
    var look = ForwardLook(end: arrived.end, isLast: arrived.isLast)
    func cut(at event: WantedEvent) { (look.end, look.isLast) = (event.event.place, false) }
    if wanted.count > records {
      wanted = Array(wanted.prefix(records))
      wanted.last.map(cut)
    }
    guard !wanted.isEmpty else { return (look, true) }
    let (payloads, count) = try await payloads(wanted.map(\.event.event), bytes: limits.bytes)
    if count < wanted.count {
      wanted = Array(wanted.prefix(count))
      wanted.last.map(cut)
    }
    let found = try await outgoing(wanted.map(\.event.event))
    let contexts = try await contexts(
      Set(found.values.compactMap(\.contextName)).map { ($0.project, $0.launch, $0.number) })
    var numbers: [GroupName: Int] = [:]
    var isWhole = true
    for one in wanted {
      guard var row = found[one.event.event.id], let payload = payloads[one.event.event.id] else {
        isWhole = false
        continue
      }
      row.payload = payload
      let name = GroupName(project: one.event.event.project, session: one.event.event.session, context: row.contextName)
      if numbers[name] == nil {
        numbers[name] = look.groups.count
        look.groups.append(
          .init(
            context: OutgoingContext(
              row.contextName.flatMap { contexts[$0] }, session: name.session, bundleId: one.fact?.bundle,
              version: one.fact?.version)))
      }
      if let number = numbers[name] { look.groups[number].rows.append((row, one.event.launch)) }
    }
    return (look, isWhole)
  }

  /// Of these, those of the app and of the level that are wanted.
  fileprivate func wanted(_ events: [ArrivedEvent], _ filter: ForwardFilter) async throws -> [WantedEvent] {
    let names = Set(events.map { SessionFact.Name(project: $0.event.project, session: $0.event.session) })
    var facts: [SessionFact.Name: SessionFact] = [:]
    for part in Array(names).chunks(of: 500) { facts.merge(try await self.facts(of: Set(part))) { one, _ in one } }
    var wanted = events.map { event in
      WantedEvent(
        event: event, fact: facts[SessionFact.Name(project: event.event.project, session: event.event.session)])
    }
    if let bundle = filter.bundleId { wanted = wanted.filter { $0.fact?.bundle == bundle } }
    if filter.level > 0 {
      let severe = try await ids(of: wanted.map(\.event.event), where: "severity >= \(filter.level)")
      wanted = wanted.filter { severe.contains($0.event.event.id) }
    }
    return wanted
  }

  /// Begins of spans whose end comes later.
  fileprivate func open(_ events: [ArrivedEvent]) async throws -> Set<Int64> {
    try await ids(of: events.filter { $0.type == "span" }.map(\.event), where: "isNull(duration)")
  }

  private func ids(of places: [EventPlace], where condition: SQL) async throws -> Set<Int64> {
    var found: Set<Int64> = []
    for part in places.chunks(of: 1000) {
      let statement = copies("DISTINCT id", exactly: part, [condition])
      found.formUnion(try await rows(statement) { try $0.int(Int64.self) })
    }
    return found
  }

  /// Rows without their payloads, by their numbers.
  private func outgoing(_ places: [EventPlace]) async throws -> [Int64: OutgoingRow] {
    let statement = copies(
      "id, timestamp, received, type, position, project, launch, context", exactly: places)
    let rows = try await rows(statement) { row in
      var event = OutgoingRow(
        id: try row.int(), timestamp: try row.int(), received: try row.int(), type: try row.string(),
        sequence: try row.int(), payload: Data())
      let (project, launch) = (try row.string(), try row.string())
      let context = try row.nullable { try $0.int(Int64.self) }
      event.contextName = context.map { ContextName(project: project, launch: launch, number: $0) }
      event.context = context
      return event
    }
    return Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// Arrivals, each number once; copies count.
  fileprivate func count(_ ranges: [ArrivalRange]) async throws -> Int64 {
    let statement = copies("uniqExact(id)", of: TelemetryTables.arrivals, ArrivalRange.conditions(ranges))
    return Int64(clamping: try await rows(statement) { try $0.int(UInt64.self) }.first ?? 0)
  }

  /// The place of the arrival of a number among them, counted from one.
  fileprivate func place(of number: Int64, in slice: ArrivalSlice) async throws -> Int64 {
    let statement = copies(
      "DISTINCT id, \(ArrivalRange.place(slice.ranges)) AS place", of: TelemetryTables.arrivals,
      ArrivalRange.conditions(slice.ranges), "ORDER BY place LIMIT \(count: Int(number - 1)), 1")
    return try await rows(statement) { row in
      _ = try row.int(Int64.self)
      return try row.int(Int64.self)
    }.first ?? slice.end
  }
}

private struct GroupName: Hashable {
  var project: String
  var session: String
  var context: ContextName?
}
