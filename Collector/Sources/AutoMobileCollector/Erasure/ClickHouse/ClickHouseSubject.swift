import AutoMobileClickHouse
import Foundation

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
    let own = try await reading.rows(
      reading.sessions(SeenSessions(selected: ["\(user) AS said_user"], filter: ["said_user = \(text: subject.id)"]))
    ) { row in
      let name = try SessionName(&row)
      _ = try row.string()
      return Name(project: name.project, name: name.session)
    }
    return try await ofContexts().union(own.filter { admits($0.project) })
  }

  private func ofContexts() async throws -> Set<Name> {
    // Texts may be written in several ways: where there is a backslash, what it says is read here.
    let condition: SQL =
      subject.kind == .user
      ? "user = \(text: subject.id)"
      : "position(json, \(text: subject.id)) > 0 OR position(json, '\\\\') > 0"
    let rows = try await contexts(where: condition)
    return Set(
      rows.filter { row in
        let named = subject.kind == .user ? row.record?.userId : row.record?.anonymousId
        return named == subject.id && admits(row.context.project)
      }.map(\.session))
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

  private struct ContextRow: Sendable {
    var context: Context
    var session: Name
    var record: ContextRecord?
    var replay: String?
  }

  private func contexts(where condition: SQL) async throws -> [ContextRow] {
    let statement = reading.copies(
      "project, launch, context, session, json", of: TelemetryTables.contexts, [condition])
    return try await reading.rows(statement) { row in
      let (project, launch) = (try row.string(), try row.string())
      let context = Context(project: project, launch: launch, number: try row.int())
      let session = try row.string()
      let json = Data(buffer: try row.bytes())
      // What a context without a session says is true of the launch's own session.
      return ContextRow(
        context: context, session: Name(project: project, name: session.isEmpty ? "launch:\(launch)" : session),
        record: json.withUnsafeBytes { try? ContextRecord(json: $0) },
        replay: json.withUnsafeBytes { (try? JSONTree(checking: $0, maximumDepth: 16))?["replayId"]?.string })
    }
  }

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
    for some in Array(launches).chunks(of: most) {
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
    let all = Array(sessions)
    var found = Surroundings()
    for start in stride(from: 0, to: all.count, by: most) {
      found.add(try await subject.surroundings(Array(all[start..<min(start + most, all.count)]), among: sessions))
    }
    return found
  }

  private func surroundings(_ names: [Name], among all: Set<Name>) async throws -> Surroundings {
    var found = Surroundings()
    let range = Self.range(of: names)
    for row in try await contexts(where: Self.condition(range)) { found.add(row.context, row.replay) }
    // Those that name no session are of the launch's own.
    let own = names.compactMap { name in
      name.name.hasPrefix("launch:") ? Name(project: name.project, name: String(name.name.dropFirst(7))) : nil
    }
    if !own.isEmpty {
      let rows = try await contexts(
        where: "session = '' AND (\(Self.condition(Self.range(of: own, column: "launch"))))")
      for row in rows { found.add(row.context, row.replay) }
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
