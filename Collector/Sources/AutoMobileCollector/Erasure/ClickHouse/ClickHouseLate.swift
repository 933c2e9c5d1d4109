import AutoMobileClickHouse

/// Finds what came after an erasure from a collector that did not know its marks: sessions by their names, those of people by what
/// contexts say, reports that were looked at meanwhile, and replays that were told. Nobody has the names any more, so all that has come
/// since the last look is compared with the marks.
struct ClickHouseLate: Sendable {
  typealias Name = ErasureNames.Name

  /// From where on it looks.
  struct Since: Sendable, Equatable {
    /// When something was received, in milliseconds since 1970.
    var received: Int64
    /// Looks at reports above this one.
    var looks: Int64

    /// For the first time.
    init(_ now: Int64) { (received, looks) = (now - ClickHouseLate.firstLook, now - ClickHouseLate.firstLook) }

    /// What has come between two looks, in whatever order.
    init(_ last: ClusterLook, _ now: ClusterLook) {
      received = min(last.at, now.at, last.earliest(until: now) ?? .max) - ClickHouseLate.overlap
      looks = last.looks
    }
  }

  private let telemetry: ClickHouseTelemetry
  private let lists: ErasureLists

  /// How far back the first look goes, in milliseconds; and each later one, behind the one before it.
  static let firstLook: Int64 = 7 * 86_400_000
  private static let overlap: Int64 = 3_600_000
  /// Sessions in one answer.
  private static let page = 20_000

  init(telemetry: ClickHouseTelemetry, lists: ErasureLists) {
    (self.telemetry, self.lists) = (telemetry, lists)
  }

  /// Writes into the list of late ones what has come since the last look.
  func note(at now: Int64) throws {
    // First: what comes while it looks is found the next time, too.
    let place = try lists.place(at: now)
    try note(in: ErasureNames.late, since: try lists.look().map { Since($0, place) } ?? Since(now))
    try lists.keep(place)
  }

  func note(in list: Int64, since: Since) throws {
    guard let marks = try lists.marks.current() else { return }
    let (sessions, around) = try waitFor { [telemetry] in
      try await telemetry.readOwn { reading in
        let found = try await Self.sessions(marks, since: since.received, reading)
          .union(try await LatePeople(marks: marks, since: since.received, reading: reading).sessions())
          .union(try await Self.ofReports(marks, since: since.looks, reading))
        let whole = try await ClickHouseSubject.whole(found, reading)
        var around = whole.around
        around.replays.formUnion(
          try await Self.replays(marks, since: since.received, in: TelemetryTables.replays, "session", reading))
        around.replays.formUnion(
          try await Self.replays(marks, since: since.received, in: TelemetryTables.replaySegments, "''", reading))
        return (whole.sessions, around)
      }
    }
    guard !sessions.isEmpty || !around.replays.isEmpty else { return }
    try lists.note(sessions, around, of: list, at: WallClock.now)
  }

  static func day(_ since: Int64) -> SQL { "day >= toDate(\(min(max(0, since / 86_400_000), 49_000)))" }

  /// A session, or some of what lies on its shard.
  struct Session: Sendable {
    var name: Name
    var shard: UInt64
    /// Of people, as its contexts name them.
    var users: [String] = []
    var devices: [String] = []
  }

  private static func sessions(
    _ marks: ErasedNames, since: Int64, _ reading: ClickHouseReading
  ) async throws -> Set<Name> {
    let received = SessionTables.value("received") ?? "0"
    return try await pages { after in
      try await reading.rows(
        reading.sessions(
          SeenSessions(
            selected: ["\(received) AS said_received"], range: [day(since), "shard > \(after)"],
            filter: ["said_received >= \(since)"], order: ["shard"], limit: page))
      ) { row in
        let name = try SessionName(&row)
        _ = try row.int(Int64.self)
        return Session(name: Name(project: name.project, name: name.session), shard: name.shard)
      }
    } keeping: { session in
      marks.isErased(session: session.name.name, of: session.name.owner)
    }
  }

  /// A look at a report writes it again, and nothing else of its session: so that is found by the report alone.
  private static func ofReports(
    _ marks: ErasedNames, since: Int64, _ reading: ClickHouseReading
  ) async throws -> Set<Name> {
    try await pages { after in
      try await reading.rows(
        reading.copies(
          "shard, any(project), any(session)", of: TelemetryTables.reports,
          ["revision > \(max(0, since))", "shard > \(after)"], "GROUP BY shard ORDER BY shard LIMIT \(count: page)")
      ) { row in
        let shard = try row.int(UInt64.self)
        return Session(name: Name(project: try row.string(), name: try row.string()), shard: shard)
      }
    } keeping: { session in
      marks.isErased(session: session.name.name, of: session.name.owner)
    }
  }

  /// Replays that were told since, and that are erased, or of a session that is.
  private static func replays(
    _ marks: ErasedNames, since: Int64, in table: TelemetryTable, _ session: SQL, _ reading: ClickHouseReading
  ) async throws -> Set<Name> {
    var found: Set<Name> = []
    var (shard, replay): (UInt64, String) = (0, "")
    while true {
      let statement = reading.copies(
        "shard, any(project), any(\(session)), replay", of: table,
        ["later >= \(since)", "shard > \(shard) OR (shard = \(shard) AND replay > \(text: replay))"],
        "GROUP BY shard, replay ORDER BY shard, replay LIMIT \(count: page)")
      let rows = try await reading.rows(statement) { row in
        (
          shard: try row.int(UInt64.self), project: try row.string(), session: try row.string(),
          replay: try row.string()
        )
      }
      for row in rows {
        let name = Name(project: row.project, name: row.replay)
        guard
          marks.mark(.replay, row.replay, of: name.owner) != nil
            || !row.session.isEmpty && marks.isErased(session: row.session, of: name.owner)
        else { continue }
        found.insert(name)
      }
      guard rows.count >= page, let last = rows.last else { return found }
      (shard, replay) = (last.shard, last.replay)
    }
  }

  static func pages(
    _ ask: (UInt64) async throws -> [Session], keeping isKept: (Session) -> Bool
  ) async throws -> Set<Name> {
    var after: UInt64 = 0
    var kept: Set<Name> = []
    while true {
      let page = try await ask(after)
      kept.formUnion(page.lazy.filter(isKept).map(\.name))
      guard page.count >= Self.page, let last = page.last else { return kept }
      after = last.shard
    }
  }

  /// In one answer.
  static var most: Int { page }
}
