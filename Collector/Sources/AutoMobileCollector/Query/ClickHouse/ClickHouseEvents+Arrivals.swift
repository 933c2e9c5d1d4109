import AutoMobileClickHouse
import Foundation

/// Events in the order in which they came.
///
/// Numbers are times of arrival (``FrameNumbers``), so that what is newest is found by its number, and by the days on which it can have
/// come. Where who listens goes on is another matter: see ``ArrivalOrder``.
extension ClickHouseEvents {
  /// Looked through in one go, in milliseconds before the end; each is longer than the one before, and the last goes back to the
  /// beginning.
  private static let windows: [Int64?] = [86_400_000, 7 * 86_400_000, 30 * 86_400_000, nil]
  /// The names of arrivals lie in their order, so that an hour of them is found in a day. Of events all of a day are looked through.
  private static let windowsOfNames: [Int64?] = [3_600_000] + windows

  func newest(
    _ scope: ReadScope, before: PageCursor?, limit: Int, filter: EventFilter
  ) async throws -> NewestEvents {
    try await telemetry.read(scope, filter.isCheap ? .light : .heavy) { reading -> NewestEvents in
      let end = min(before?.id ?? .max, try await reading.newestId() + 1)
      let question = try EventQuestion(filter, in: .everywhere, reading)
      var range: [SQL] = []
      if let session = filter.session {
        guard let name = try await reading.session(named: session) else { return NewestEvents(Page()) }
        range = name.range
      }
      let clock = ContinuousClock()
      let patience = clock.now + patience
      var places: [EventPlace] = []
      var ceiling = end
      let windows = filter.query.isEmpty && range.isEmpty ? Self.windowsOfNames : Self.windows
      // Who goes on behind a long window goes on in long ones.
      var window = before.map { windows.indices.contains(Int(clamping: $0.key)) ? Int($0.key) : 0 } ?? 0
      repeat {
        let floor = windows[window].map { max(0, end - FrameNumbers.span(of: $0)) } ?? 0
        if floor < ceiling {
          let found = try await reading.newest(
            from: floor, before: ceiling, limit: limit - places.count, range, question, isCheap: filter.query.isEmpty,
            until: patience)
          places += found.places
          ceiling = found.reached
        }
        if ceiling <= floor, window < windows.count - 1 { window += 1 }
      } while places.count < limit && ceiling > 0 && clock.now <= patience
      var page = try await reading.fetch(places, bytes: reading.limits.pageBytes)
      page.isFull = page.isFull || places.count >= limit
      var newest = NewestEvents(page)
      if newest.next == nil, ceiling > 0 { newest.next = PageCursor(key: Int64(window), id: ceiling) }
      return newest
    }
  }
}

extension FrameNumbers {
  /// By how much numbers grow in so many milliseconds.
  static func span(of milliseconds: Int64) -> Int64 { milliseconds * 1000 / tick * writers }

  /// As conditions on a table of records, with the days on which they can have come: each is a partition. The clocks of collectors
  /// may be an hour apart.
  static func range(from first: Int64, before end: Int64) -> [SQL] {
    guard first > 0 else { return ["id < \(end)"] }
    func day(_ number: Int64, _ margin: Int64) -> Int64 { max(0, (milliseconds(number) + margin) / 86_400_000) }
    let days: [SQL] = [
      "day >= toDate(\(day(first, -3_600_000)))", "day <= toDate(\(day(min(end, most * writers), 3_600_000)))",
    ]
    return days + ["id >= \(first)", "id < \(end)"]
  }
}

extension ClickHouseReading {
  /// The number of the event that came last; 0 when there is none.
  func newestId() async throws -> Int64 {
    func last(_ range: [SQL]) async throws -> Int64 {
      try await rows(copies("max(id)", of: TelemetryTables.arrivals, range)) { try $0.int(Int64.self) }.first ?? 0
    }
    // Mostly something has come lately: only that is looked at then.
    let now = WallClock.now
    let today: SQL = "day >= toDate(\(now / 86_400_000 - 1))"
    for milliseconds in [60_000, 3_600_000] as [Int64] {
      let recent = try await last([today, "id >= \(FrameNumbers.first(at: now - milliseconds))"])
      if recent > 0 { return recent }
    }
    if case let recent = try await last([today]), recent > 0 { return recent }
    return try await last([])
  }

  /// Of arrivals, those events that are meant and no copies of others; a few more than were asked for, where there are.
  func matching(
    _ arrived: [EventPlace], _ question: EventQuestion, limit: Int
  ) async throws -> [EventPlace] {
    var meant: [EventPlace] = []
    var next = 0
    while next < arrived.count, meant.count < limit {
      let chunk = Array(arrived[next...].prefix(500))
      next += chunk.count
      var rows = DistinctRows(TelemetryTables.events, columns: ["id"])
      rows.first = [EventPlace.times(chunk)]
      rows.range = EventPlace.range(chunk) + question.range
      rows.filter = [EventPlace.numbers(chunk)]
      let own = Set(try await self.rows(distinct(rows)) { try $0.int(Int64.self) })
      var found = chunk.filter { own.contains($0.id) }
      if let rest = question.rest {
        let said = try await self.meant(found, rest)
        found = found.filter { said.contains($0.id) }
      }
      meant += found
    }
    return meant
  }

  /// Looked at in one round, at most: each asks for all that lies in its window.
  private static let longestRound = 5000

  /// The newest of those that came between two numbers, and down to which number all has been looked at: to the first of them, unless
  /// there are enough, or it takes too long.
  fileprivate func newest(
    from floor: Int64, before ceiling: Int64, limit: Int, _ range: [SQL], _ question: EventQuestion, isCheap: Bool,
    until end: ContinuousClock.Instant
  ) async throws -> (places: [EventPlace], reached: Int64) {
    var places: [EventPlace] = []
    var ceiling = ceiling
    var wanted = 2 * limit + 50
    // The names of arrivals know the types, and are in order; what else is asked of an event is asked of itself.
    let table = isCheap && range.isEmpty ? TelemetryTables.arrivals : TelemetryTables.events
    while places.count < limit {
      // Back to the beginning no day says which rows are meant: their numbers do, before anything else is read.
      let numbers = FrameNumbers.range(from: floor, before: ceiling)
      let (first, rest) = floor > 0 ? (question.range, numbers) : (numbers, question.range)
      let found = try await rows(
        copies(
          "project, session, id, timestamp, launch, position", of: table, rest + range,
          "ORDER BY id DESC LIMIT \(count: wanted)", first: first)
      ) { (place: try EventPlace(&$0), launch: try $0.string(), position: try $0.int(Int64.self)) }
      // A copy has its number too, and of those that are here only the one with the lowest can be the first: whoever had the servers
      // look for copies among all that was found would wait for half of all events.
      var lowest: [String: Int64] = [:]
      for one in found { lowest["\(one.place.project)\0\(one.launch)\0\(one.position)"] = one.place.id }
      let ids = Set(lowest.values)
      var seen: Set<Int64> = []
      let once = found.map(\.place).filter { ids.contains($0.id) && seen.insert($0.id).inserted }
      places += try await matching(once, question, limit: limit - places.count).prefix(limit - places.count)
      guard found.count == wanted, let last = found.last else { return (places, floor) }
      ceiling = last.place.id
      if ContinuousClock.now > end { break }
      // What little was found in says how far there is to go.
      wanted = min(4 * wanted, max(wanted, Self.longestRound))
    }
    return (places, ceiling)
  }
}
