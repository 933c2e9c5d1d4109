import AutoMobileClickHouse

/// Finds what belongs to a subject in ClickHouse.
struct ClickHouseSubject: Sendable {
  typealias Name = ErasureNames.Name

  /// A context, by its number.
  struct Context: Hashable, Sendable {
    var project: String
    var launch: String
    var number: Int64
  }

  let subject: ErasureSubject
  let projects: Set<String>
  let reading: ClickHouseReading

  /// Asked about in one statement.
  static let most = 200
  /// Sessions in one answer.
  private static let page = 20_000

  // MARK: Sessions

  func sessions() async throws -> Set<Name> {
    switch subject.kind {
    case .session: return try await ofName()
    case .user: return try await ofUser()
    case .device: return try await ofContexts()
    }
  }

  private func admits(_ project: String) -> Bool {
    guard let wanted = subject.project else { return true }
    let owner = DataOwner(name: project)
    return !owner.isFile && DataOwner.app(owner.bundleId, among: projects.union([wanted])) == .app(wanted)
  }

  private func ofName() async throws -> Set<Name> {
    guard subject.project == nil else {
      let found = try await sessions(where: "session = \(text: subject.id)")
      return found.filter { admits($0.project) }
    }
    guard let found = try await reading.session(named: subject.id) else { return [] }
    return [Name(project: found.project, name: found.session)]
  }

  /// A session has the user that was named last; another one may have been signed in before.
  private func ofUser() async throws -> Set<Name> {
    let user = SessionTables.value("user") ?? "''"
    var found = try await ofContexts()
    try await HalvedPages.read(most: Self.page) { (last: SessionName?, count: Int) in
      try await reading.rows(
        reading.sessions(
          SeenSessions(
            selected: ["\(user) AS said_user"], range: ["shard > \(last?.shard ?? 0)"],
            filter: ["said_user = \(text: subject.id)"], order: ["shard"], limit: count))
      ) { row in
        let name = try SessionName(&row)
        _ = try row.string()
        return name
      }
    } use: { page in
      for name in page where admits(name.project) {
        found.insert(Name(project: name.project, name: name.session))
      }
    }
    return found
  }

  private func ofContexts() async throws -> Set<Name> {
    // Texts may be written in several ways: where there is a backslash, what it says is read here.
    let condition: SQL =
      subject.kind == .user
      ? "user = \(text: subject.id)"
      : "position(json, \(text: subject.id)) > 0 OR position(json, '\\\\') > 0"
    var found: Set<Name> = []
    try await ContextPages(reading: reading).each([condition]) { row in
      let record = row.record
      let named = subject.kind == .user ? record?.userId : record?.anonymousId
      if named == subject.id, admits(row.project) { found.insert(row.ofSession) }
    }
    return found
  }

  private func sessions(where condition: SQL) async throws -> Set<Name> {
    let rows = try await reading.rows(reading.sessions(SeenSessions(selected: ["count()"], range: [condition]))) {
      row in
      let name = try SessionName(&row)
      _ = try row.int(UInt64.self)
      return Name(project: name.project, name: name.session)
    }
    return Set(rows)
  }

  // MARK: What leads to them

  /// Beside the sessions themselves.
  struct Surroundings: Sendable {
    var contexts: Set<Context> = []
    var replays: Set<Name> = []
    var launches: Set<Name> = []
    /// That were in no other session.
    var alone: Set<Name> = []
    /// Launches that have no session of their own: what names nothing that is known could be of an erased one.
    var withoutOwn: Set<Name> = []
    var issues: Set<String> = []
    var places: Set<Name> = []

    mutating func add(_ other: Surroundings) {
      contexts.formUnion(other.contexts)
      replays.formUnion(other.replays)
      launches.formUnion(other.launches)
      alone.formUnion(other.alone)
      withoutOwn.formUnion(other.withoutOwn)
      issues.formUnion(other.issues)
      places.formUnion(other.places)
    }
  }

  /// Sessions with what belongs to them, and with what came while nobody knew that it does.
  static func whole(
    _ sessions: Set<Name>, _ reading: ClickHouseReading
  ) async throws -> (sessions: Set<Name>, around: Surroundings) {
    let around = try await surroundings(of: sessions, reading)
    let all = try await sessions.union(unknown(around.contexts, reading))
    guard all.count > sessions.count else { return (all, around) }
    return (all, try await surroundings(of: all, reading))
  }

  /// A context that nobody knew when an event came with it says nothing of the session: the event is in its launch's own. Of a launch of
  /// which some is found there all of it goes: nobody can tell whose the rest is.
  private static func unknown(_ contexts: Set<Context>, _ reading: ClickHouseReading) async throws -> Set<Name> {
    var found: Set<Name> = []
    let launches = Set(contexts.map { Name(project: $0.project, name: "launch:\($0.launch)") })
    try await HalvedPages.parts(of: Array(launches), most: most) { some in
      let rows = try await reading.rows(
        reading.copies(
          "DISTINCT project, launch, session, ifNull(context, 0)", of: TelemetryTables.events,
          range(of: some) + ["isNotNull(context)"])
      ) { row in
        let (project, launch, session) = (try row.string(), try row.string(), try row.string())
        return (
          context: Context(project: project, launch: launch, number: try row.int()),
          session: Name(project: project, name: session)
        )
      }
      found.formUnion(rows.lazy.filter { contexts.contains($0.context) }.map { $0.session })
    }
    return found
  }

  static func surroundings(of sessions: Set<Name>, _ reading: ClickHouseReading) async throws -> Surroundings {
    let subject = ClickHouseSubject(subject: ErasureSubject(.session, ""), projects: [], reading: reading)
    var found = Surroundings()
    try await HalvedPages.parts(of: Array(sessions), most: most) { some in
      let around = try await subject.surroundings(some, among: sessions)
      found.add(around)
    }
    return found
  }

  private func surroundings(_ names: [Name], among all: Set<Name>) async throws -> Surroundings {
    var found = Surroundings()
    let range = Self.range(of: names)
    let contexts = ContextPages(reading: reading)
    try await contexts.each(range) { row in found.add(row.context, row.replay) }
    // Those that name no session are of the launch's own.
    let own = names.compactMap { name in
      name.name.hasPrefix("launch:") ? Name(project: name.project, name: String(name.name.dropFirst(7))) : nil
    }
    if !own.isEmpty {
      try await contexts.each(["session = ''"] + Self.range(of: own, column: "launch")) { row in
        found.add(row.context, row.replay)
      }
    }
    found.replays.formUnion(
      try await reading.rows(reading.copies("DISTINCT project, replay", of: TelemetryTables.replays, range)) {
        Name(project: try $0.string(), name: try $0.string())
      })
    try await addLaunches(range, among: all, to: &found)
    found.issues = Set(
      try await reading.rows(reading.copies("DISTINCT fingerprint", of: TelemetryTables.reports, range)) {
        try $0.string()
      })
    found.places = Set(
      try await reading.rows(reading.copies("DISTINCT host, route", of: TelemetryTables.requests, range)) {
        Name(project: try $0.string(), name: try $0.string())
      })
    return found
  }

  private func addLaunches(_ range: [SQL], among all: Set<Name>, to found: inout Surroundings) async throws {
    let parts = TelemetryTables.launchParts
    let concerned = reading.copies("project, launch", of: parts, range).sql
    let statement = reading.copies(
      "project, launch, groupUniqArray(session)", of: parts, ["(project, launch) GLOBAL IN (\(concerned))"],
      "GROUP BY project, launch")
    let launches = try await reading.rows(statement) { row in
      (launch: Name(project: try row.string(), name: try row.string()), sessions: try row.array { try $0.string() })
    }
    for (launch, sessions) in launches {
      let others = sessions.filter { !$0.isEmpty && !all.contains(Name(project: launch.project, name: $0)) }
      found.launches.insert(launch)
      if others.isEmpty { found.alone.insert(launch) }
      if !sessions.contains("launch:\(launch.name)") { found.withoutOwn.insert(launch) }
    }
  }

  // MARK: Conditions

  static func range(of names: [Name], column: SQL = "session") -> [SQL] {
    let pairs = names.map { "(\(text: $0.project), \(text: $0.name))" as SQL }
    let projects = SQL.joined(Set(names.map(\.project)).sorted().map { "\(text: $0)" }, ", ")
    return ["project IN (\(projects))", "(project, \(column)) IN (\(SQL.joined(pairs, ", ")))"]
  }

  static func condition(_ range: [SQL]) -> SQL { SQL.joined(range.map { "(\($0))" }, " AND ") }
}

extension ClickHouseSubject.Surroundings {
  fileprivate mutating func add(_ context: ClickHouseSubject.Context, _ replay: String?) {
    contexts.insert(context)
    if let replay { replays.insert(ErasureNames.Name(project: context.project, name: replay)) }
  }
}
