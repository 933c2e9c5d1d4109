import AutoMobileClickHouse

/// What is counted of a session.
struct CountedSession: Sendable {
  struct Launch: Sendable {
    var name: String
    var events: Int64
    /// The number of its first record in the session.
    var first: Int64
  }

  var events: Int64 = 0
  var errors: Int64 = 0
  /// In the order in which the first of each came, those of which only breadcrumbs came among them.
  var launches: [Launch] = []
  /// Only its events could tell.
  var isRead = false
}

/// Counts of some sessions. However many launches and types one has, an answer has few of them.
extension CountedStretches {
  /// Of a session: of more, these are the first.
  static let mostLaunches = 1000
  static let mostTypes = 100

  /// - Parameter launches: the condition that those fulfil of which is asked; nothing: all.
  func sessions(
    _ names: [SessionName], _ launches: [SQL] = []
  ) async throws -> [SessionFact.Name: CountedSession] {
    guard !names.isEmpty else { return [:] }
    let range = [ClickHouseReading.keys(of: names)]
    let uncounted = reading.copies(
      "DISTINCT project, session", of: TelemetryTables.launchParts, range, first: ["counted = 0"])
    async let without = reading.rows(uncounted) {
      SessionFact.Name(project: try $0.string(), session: try $0.string())
    }
    let counted = stretches(
      "any(project) AS its_project, any(session) AS its_session, launch, min(id) AS first", [.events, .errors],
      range + [ClickHouseReading.numbers(of: names)] + launches, by: "shard, launch, breadcrumbs"
    ).inside {
      """
      SELECT its_project AS project, its_session AS session, launch, first, \(Sum.events.once), \(Sum.errors.once), \
      \(Self.overlaps) FROM (\($0))
      """
    }
    var sessions = try await together(counted)
    for name in try await without { sessions[name, default: CountedSession()].isRead = true }
    let others = names.filter { sessions[.init(project: $0.project, session: $0.session)]?.isRead == true }
    guard !others.isEmpty else { return sessions }
    let isError: SQL = "severity >= 4 AND \(SessionColumns.isEvent)"
    let read = reading.copies(
      """
      project, session, launch, min(id) AS first, toInt64(uniqExactIf(position, \(SessionColumns.isEvent))) AS events, \
      toInt64(uniqExactIf(position, \(isError))) AS errors, toUInt8(1) AS overlaps
      """, of: TelemetryTables.events, [ClickHouseReading.keys(of: others)] + launches,
      "GROUP BY project, session, launch",
      first: [ClickHouseReading.numbers(of: others)])
    return sessions.merging(try await together(read)) { _, read in read }
  }

  private func together(_ launches: SeenSQL) async throws -> [SessionFact.Name: CountedSession] {
    // Two of one launch, where it has breadcrumbs.
    let most: SQL = "\(count: 2 * Self.mostLaunches)"
    func inOrder(_ column: SQL) -> SQL {
      "arraySlice(arraySort((value, place) -> place, groupArray(\(column)), groupArray(first)), 1, \(most))"
    }
    let statement = launches.inside {
      """
      SELECT project, session, sum(events), sum(errors), max(overlaps), \(inOrder("launch")), \(inOrder("events")), \
      \(inOrder("first")) FROM (\($0)) GROUP BY project, session
      """
    }
    let found = try await reading.rows(statement) { row in
      let name = SessionFact.Name(project: try row.string(), session: try row.string())
      var session = CountedSession(events: try row.int(), errors: try row.int())
      session.isRead = try row.bool()
      let names = try row.array { try $0.string() }
      let events = try row.array { try $0.int(Int64.self) }
      let firsts = try row.array { try $0.int(Int64.self) }
      session.add(zip(names, zip(events, firsts)).map { .init(name: $0, events: $1.0, first: $1.1) })
      return (name, session)
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// How many events of each type there are, the most first.
  ///
  /// - Parameter areRead: only events can tell.
  func types(
    of names: [SessionName], areRead: Bool
  ) async throws -> [SessionFact.Name: [(type: String, count: Int64)]] {
    guard !names.isEmpty else { return [:] }
    let range = [ClickHouseReading.keys(of: names)]
    let first = [ClickHouseReading.numbers(of: names)]
    let columns: SQL = "project, session, launch, breadcrumbs, least, greatest, whole"
    let counted: SeenSQL =
      if areRead {
        reading.copies(
          "project, session, type, toInt64(uniqExact(launch, position)) AS number", of: TelemetryTables.events, range,
          "GROUP BY project, session, type", first: first)
      } else {
        reading.copies(
          "\(columns), any(types) AS its_types, any(counts) AS its_counts", of: TelemetryTables.eventCounts,
          range + first, "GROUP BY \(columns)"
        ).inside {
          "SELECT project, session, type, number FROM (\($0)) ARRAY JOIN its_types AS type, its_counts AS number"
        }
      }
    let statement = counted.inside {
      """
      SELECT project, session, type, total FROM (SELECT project, session, type, sum(number) AS total FROM (\($0)) \
      GROUP BY project, session, type) ORDER BY total DESC, type LIMIT \(count: Self.mostTypes) BY project, session
      """
    }
    let found = try await reading.rows(statement) { row in
      let session = SessionFact.Name(project: try row.string(), session: try row.string())
      return (session, (type: try row.string(), count: try row.int(Int64.self)))
    }
    return found.reduce(into: [:]) { $0[$1.0, default: []].append($1.1) }
  }
}

extension CountedSession {
  fileprivate mutating func add(_ parts: [Launch]) {
    var places: [String: Int] = [:]
    for part in parts {
      if let place = places[part.name] {
        launches[place].events += part.events
      } else {
        places[part.name] = launches.count
        launches.append(part)
      }
    }
  }
}
