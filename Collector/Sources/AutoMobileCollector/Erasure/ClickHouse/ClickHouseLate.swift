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

    /// Through all days.
    static let ever = Since(received: 0, looks: 0)

    private init(received: Int64, looks: Int64) { (self.received, self.looks) = (received, looks) }

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
    return try await pages { after, count in
      try await reading.rows(
        reading.sessions(
          SeenSessions(
            selected: ["\(received) AS said_received"], range: [day(since), "shard > \(after)"],
            filter: ["said_received >= \(since)"], order: ["shard"], limit: count))
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
    try await pages { after, count in
      try await reading.rows(
        reading.copies(
          "shard, any(project), any(session)", of: TelemetryTables.reports,
          ["revision > \(max(0, since))", "shard > \(after)"], "GROUP BY shard ORDER BY shard LIMIT \(count: count)")
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
    try await HalvedPages.read(most: page) { (last: ToldReplay?, count: Int) in
      let (shard, replay) = (last?.shard ?? 0, last?.name.name ?? "")
      let statement = reading.copies(
        "shard, any(project), any(\(session)), replay", of: table,
        ["later >= \(since)", "shard > \(shard) OR (shard = \(shard) AND replay > \(text: replay))"],
        "GROUP BY shard, replay ORDER BY shard, replay LIMIT \(count: count)")
      return try await reading.rows(statement) { try ToldReplay(&$0) }
    } use: { page in
      for replay in page where replay.isErased(marks) { found.insert(replay.name) }
    }
    return found
  }

  private struct ToldReplay: Sendable {
    let shard: UInt64
    let name: Name
    /// Empty: nothing says it.
    let session: String

    init(_ row: inout RowBinaryReader) throws {
      shard = try row.int()
      let project = try row.string()
      session = try row.string()
      name = Name(project: project, name: try row.string())
    }

    func isErased(_ marks: ErasedNames) -> Bool {
      marks.mark(.replay, name.name, of: name.owner) != nil
        || !session.isEmpty && marks.isErased(session: session, of: name.owner)
    }
  }

  /// - Parameter ask: answers what is behind a shard's number, at most so much, in the order of these.
  static func pages(
    _ ask: (UInt64, Int) async throws -> [Session], keeping isKept: (Session) -> Bool
  ) async throws -> Set<Name> {
    var kept: Set<Name> = []
    try await HalvedPages.read(most: page) { (last: Session?, count: Int) in
      try await ask(last?.shard ?? 0, count)
    } use: { page in
      for session in page where isKept(session) { kept.insert(session.name) }
    }
    return kept
  }
}
