import AutoMobileClickHouse

/// An event that came after a place.
struct ArrivedEvent: Sendable {
  /// In the order in which everything came.
  var place: Int64
  /// The lowest of its numbers: an event that came twice has two.
  var event: EventPlace
  var launch: String
  var position: Int64
  var received: Int64
  var type: String
}

/// What one look found.
struct ArrivalLook: Sendable {
  var events: [ArrivedEvent] = []
  /// Everything up to here is in it, or was not meant.
  var end: Int64
  /// Whether there was nothing behind it.
  var isLast: Bool
}

extension ClickHouseReading {
  /// Events that came after a place, the first ones of them, in the order in which they came; each at the place where it came first, and
  /// nowhere else.
  ///
  /// A device sends again what nobody has confirmed, also to another collector. Of such copies the one counts that could be asked for
  /// first, whichever numbers they have, so that nothing is told twice when a collector comes back with what it took in long ago.
  ///
  /// - Parameters:
  ///   - most: rows that are looked at.
  ///   - range: what holds of all copies of what is meant.
  func arrived(
    _ slice: ArrivalSlice, _ order: ArrivalOrder, most: Int, _ range: [SQL] = []
  ) async throws -> ArrivalLook {
    guard let start = slice.ranges.first?.place else { return ArrivalLook(end: slice.end, isLast: slice.isLast) }
    var found: [ArrivedEvent] = []
    var (from, end) = (start, start)
    var window = FrameNumbers.places(in: Self.firstWindow)
    // Places are as many as there could have been records: of a quiet hour all are looked at at once, of a busy one a minute.
    while from < slice.end, found.count < most {
      end = window < slice.end - from ? from + window : slice.end
      let ranges = slice.ranges.compactMap { $0.part(after: from, upTo: end) }
      let rows = try await rows(of: ranges, most: most - found.count, range)
      found += rows
      if found.count >= most, let last = found.last { end = last.place }
      from = end
      // Also where few are asked for.
      if rows.count <= most / 4 { window *= 8 }
    }
    let events = try await firsts(found, order)
    return ArrivalLook(events: events, end: end, isLast: slice.isLast && end >= slice.end)
  }

  /// Milliseconds.
  private static let firstWindow: Int64 = 60_000

  private func rows(of ranges: [ArrivalRange], most: Int, _ range: [SQL]) async throws -> [ArrivedEvent] {
    guard !ranges.isEmpty, most > 0 else { return [] }
    let statement = copies(
      """
      DISTINCT project, session, id, timestamp, launch, position, received, type, \(ArrivalRange.place(ranges)) AS place
      """, of: TelemetryTables.arrivals, ArrivalRange.conditions(ranges) + range,
      "ORDER BY place LIMIT \(count: most)")
    return try await rows(statement) { row in
      let event = try EventPlace(&row)
      return ArrivedEvent(
        place: 0, event: event, launch: try row.string(), position: try row.int(), received: try row.int(),
        type: try row.string()
      ).at(try row.int())
    }
  }

  // MARK: Copies

  private struct Name: Hashable, Sendable {
    var project: String
    var launch: String
    var position: Int64

    init(_ event: ArrivedEvent) {
      (project, launch, position) = (event.event.project, event.launch, event.position)
    }

    init(_ row: inout RowBinaryReader) throws {
      (project, launch, position) = (try row.string(), try row.string(), try row.int())
    }
  }

  /// Of these, those that did not come before; by the lowest of their numbers.
  private func firsts(_ found: [ArrivedEvent], _ order: ArrivalOrder) async throws -> [ArrivedEvent] {
    var events: [ArrivedEvent] = []
    // What a statement can hold.
    for start in stride(from: 0, to: found.count, by: 500) {
      events += try await firsts(chunk: Array(found[start..<min(start + 500, found.count)]), order)
    }
    return events
  }

  private func firsts(chunk: [ArrivedEvent], _ order: ArrivalOrder) async throws -> [ArrivedEvent] {
    let lowest = try await lowest(chunk)
    let lower = chunk.compactMap { event in lowest[Name(event)].flatMap { $0 < event.event.id ? $0 : nil } }
    var places = try await order.places(of: lower)
    let higher = try await higher(chunk, order, &places)
    var seen: Set<Name> = []
    return chunk.compactMap { event -> ArrivedEvent? in
      let name = Name(event)
      // Nothing is left of it, or two of its copies came together.
      guard let own = lowest[name], seen.insert(name).inserted else { return nil }
      let others = (higher[name] ?? []) + (own < event.event.id ? [own] : [])
      guard others.allSatisfy({ places[$0].map { $0 >= event.place } ?? true }) else { return nil }
      var event = event
      event.event.id = min(own, event.event.id)
      return event
    }
  }

  /// The lowest number of each that is there. Where parts were merged it is the only one that is left.
  private func lowest(_ chunk: [ArrivedEvent]) async throws -> [Name: Int64] {
    let statement = copies(
      "project, launch, position, min(id)", of: TelemetryTables.events,
      EventPlace.range(chunk.map(\.event)) + named(chunk), "GROUP BY project, launch, position",
      first: [EventPlace.times(chunk.map(\.event))])
    let found = try await rows(statement) { (try Name(&$0), try $0.int(Int64.self)) }
    return Dictionary(found, uniquingKeysWith: min)
  }

  /// Numbers of copies above their own that may have come before: those of collectors that were faster. In the names of arrivals all
  /// copies stay.
  private func higher(
    _ chunk: [ArrivedEvent], _ order: ArrivalOrder, _ places: inout [Int64: Int64]
  ) async throws -> [Name: [Int64]] {
    guard let least = chunk.map(\.event.id).min(), let last = chunk.map(\.place).max() else { return [:] }
    // What one collector took in later has a later place, too.
    let writers = Set(chunk.map { $0.event.id % FrameNumbers.step })
    let ranges = try await order.ranges(before: last, above: least).filter { writers != [$0.writer] }
    let joined = Dictionary(grouping: ranges, by: \.writer).compactMap { writer, ranges -> ArrivalRange? in
      guard let first = ranges.map(\.first).min(), let last = ranges.map(\.last).max() else { return nil }
      return ArrivalRange(place: 0, writer: writer, first: max(first, least), last: last)
    }.sorted { $0.writer < $1.writer }
    guard !joined.isEmpty else { return [:] }
    let sessions = SQL.joined(Set(chunk.map(\.event.session)).sorted().map { "\(text: $0)" }, ", ")
    let statement = copies(
      "DISTINCT project, launch, position, id", of: TelemetryTables.arrivals,
      ArrivalRange.conditions(joined) + named(chunk) + ["session IN (\(sessions))"])
    var own: Set<Name> = []
    var ids: [Name: Set<Int64>] = [:]
    for event in chunk {
      own.insert(Name(event))
      ids[Name(event), default: []].insert(event.event.id)
    }
    var higher: [Name: [Int64]] = [:]
    for (name, id) in try await rows(statement, { (try Name(&$0), try $0.int(Int64.self)) })
    where own.contains(name) && ids[name]?.contains(id) == false {
      higher[name, default: []].append(id)
      places[id] = ranges.first { $0.has(id) }?.place(of: id)
    }
    return higher
  }

  private func named(_ chunk: [ArrivedEvent]) -> [SQL] {
    func texts(_ values: some Sequence<String>) -> SQL { SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ") }
    return [
      "project IN (\(texts(chunk.map(\.event.project))))", "launch IN (\(texts(chunk.map(\.launch))))",
      ClickHouseTerms.among("position", chunk.map(\.position)),
    ]
  }
}

extension ArrivedEvent {
  fileprivate func at(_ place: Int64) -> ArrivedEvent {
    var event = self
    event.place = place
    return event
  }
}

extension FrameNumbers {
  /// So many places records can take in so many milliseconds.
  static func places(in milliseconds: Int64) -> Int64 { milliseconds * 1000 / tick }
}
