import AutoMobileClickHouse

extension ClickHouseReading {
  /// Some sessions in the order of a number, the largest first.
  ///
  /// - Parameters:
  ///   - key: an expression over ``SessionColumns``.
  ///   - live: from which time on a session counts as live.
  ///   - matches: says by which event each was found.
  func page(
    _ selection: ClickHouseSessionSelection, by key: SQL, before: PageCursor?, limit: Int, live: Int64,
    and further: [SQL] = [], matches: ClickHouseSessionMatches? = nil
  ) async throws -> Page<SessionRow> {
    guard limit > 0 else { return Page(isFull: true) }
    var further = further
    if let before {
      further.append("\(key) < \(before.key) OR (\(key) = \(before.key) AND toInt64(shard) < \(before.id))")
    }
    let found = try await rows(
      try await selection.statement(["\(key)"], order: ["\(key) DESC", "toInt64(shard) DESC"], limit: limit, and: further)
    ) { (name: try SessionName(&$0), key: try $0.int(Int64.self)) }
    var sessions = try await sessions(found.map(\.name), live: live)
    let keys = Dictionary(found.map { ($0.name.number, $0.key) }, uniquingKeysWith: { first, _ in first })
    for index in sessions.indices { sessions[index].place.key = keys[sessions[index].place.id] ?? 0 }
    var page = Page(sessions, limit: limit, bytes: limits.pageBytes)
    page.isFull = page.rows.count < found.count || found.count == limit
    try await addFailures(to: &page.rows, Array(found.map(\.name).prefix(page.rows.count)))
    try await matches?.add(to: &page.rows, found.map(\.name), self)
    return page
  }

  /// Of sessions, in the order of their names, what is known of them.
  func sessions(_ names: [SessionName], live: Int64) async throws -> [SessionRow] {
    guard !names.isEmpty else { return [] }
    let range = Self.range(of: names)
    let isLive = SessionColumns.isLive(self, since: live)
    let statement = sessions(SeenSessions(selected: SessionColumns.all, range: range)).inside {
      """
      SELECT project, session, shard, said_bundle, said_version, said_user, said_tags, said_device, said_first, said_last, \
      said_screen, toUInt8(\(isLive)), said_launches FROM (\($0))
      """
    }
    // None of them waits for what another one finds.
    async let counted = counts(of: names)
    async let toldOf = told(names, now: live + SessionRow.liveMilliseconds)
    async let importsOf = imports(of: names)
    async let clashingOf = isWide ? clashing(Set(names.map(\.session))) : [:]
    let found = try await rows(statement) { row in
      func told(_ row: inout RowBinaryReader) throws -> String? {
        let text = try row.string()
        return text.isEmpty ? nil : text
      }
      let name = try SessionName(&row)
      let session = SessionRow(
        place: PageCursor(key: 0, id: name.number), sessionId: name.session, bundleId: try told(&row),
        appVersion: try told(&row), userId: try told(&row), tags: try told(&row), device: try told(&row),
        first: try row.int(), last: try row.int(), events: 0, errors: 0, lastScreen: try told(&row),
        isLive: try row.bool())
      return (name, session, Set(try row.array { try $0.string() }))
    }
    var counts = try await counted
    // Who only tells of a session was not in it.
    for (name, _, launches) in found { counts[name]?.keep(launches) }
    let all = Dictionary(found.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    let ends = try await ends(
      of: counts.flatMap { name, counts in
        counts.launches.suffix(1).map { LaunchName(project: name.project, launch: $0.name) }
      })
    let told = try await toldOf
    let sums = told.isEmpty ? [:] : try await toldEnds(of: range)
    let (imports, clashing) = try await (importsOf, clashingOf)
    return names.compactMap { name in
      guard var session = all[name] else { return nil }
      let counts = counts[name] ?? SessionCounts()
      counts.write(to: &session)
      if let launch = counts.launches.last {
        session.lastEnd = ends[LaunchName(project: name.project, launch: launch.name)]?.verdict
      }
      session.imported = imports[name]
      session.told = told[.init(project: name.project, session: name.session)]
      if let sum = sums[name] {
        if sum.isFinal { session.isLive = false }
        if let end = sum.end, end != "unknown" || session.lastEnd == nil { session.lastEnd = end }
      }
      // Another one that came before is called the same.
      if let first = clashing[name.session], first != name.project { session.sessionId = name.qualified }
      return session
    }
  }

  static func range(of names: [SessionName]) -> [SQL] {
    let list = names.map { "(\(text: $0.project), \(text: $0.session))" as SQL }
    // By these they are found; the pairs are what is meant.
    return [keys(of: names), "(project, session) IN (\(SQL.joined(list, ", ")))"]
  }

  static func keys(of names: [SessionName]) -> SQL {
    func texts(_ values: some Sequence<String>) -> SQL {
      SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
    }
    return "project IN (\(texts(names.map(\.project)))) AND session IN (\(texts(names.map(\.session))))"
  }

  /// In the place of the pairs, where rows lie on the shards of their sessions: to be read before anything else of them.
  static func numbers(of names: [SessionName]) -> SQL {
    "shard IN (\(SQL.joined(names.map { "\($0.shard)" }, ", ")))"
  }

  /// Of names that several sessions have, whose came first.
  private func clashing(_ names: Set<String>) async throws -> [String: String] {
    let list = SQL.joined(names.sorted().map { "\(text: $0)" }, ", ")
    let statement = sessions(SeenSessions(selected: ["count()"], range: ["session IN (\(list))"])).inside {
      "SELECT session FROM (\($0)) GROUP BY session HAVING count() > 1"
    }
    let several = try await rows(statement) { try $0.string() }
    return try await projects(of: several).compactMapValues(\.first)
  }

  // MARK: Counts

  /// Whether devices have said that sessions are over, and how they ended.
  private func toldEnds(of range: [SQL]) async throws -> [SessionName: (isFinal: Bool, end: String?)] {
    let told = sessions(SeenSessions(selected: ["count()"], range: range)).inside { sessions in
      """
      SELECT project, session, shard, told_final, told_end FROM (\(sessions)) AS whole \
      ANY INNER JOIN (\(SessionColumns.told(self, range))) AS told USING (project, session)
      """
    }
    let found = try await rows(told) { row in
      let name = try SessionName(&row)
      let isFinal = try row.bool()
      let end = try row.string()
      return (name, (isFinal: isFinal, end: end.isEmpty ? nil : end))
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  private func counts(of names: [SessionName]) async throws -> [SessionName: SessionCounts] {
    let stretches = CountedStretches(reading: self)
    async let typesOf = stretches.types(of: names)
    let launches = try await stretches.launches(of: names)
    let types = Dictionary(grouping: try await typesOf, by: \.session)
    var counts: [SessionName: SessionCounts] = [:]
    var others: [SessionName] = []
    for name in names {
      let fact = SessionFact.Name(project: name.project, session: name.session)
      guard let launches = launches[fact] else {
        others.append(name)
        continue
      }
      var count = SessionCounts()
      for launch in launches { count.add(launch) }
      for type in types[fact] ?? [] { count.add(type: type.type, count: type.count) }
      counts[name] = count
    }
    if !others.isEmpty { counts.merge(try await readCounts(of: others)) { first, _ in first } }
    for name in counts.keys { counts[name]?.sort() }
    return counts
  }

  /// Of sessions of which only their events can tell.
  private func readCounts(of names: [SessionName]) async throws -> [SessionName: SessionCounts] {
    let statement = copies(
      """
      any(project), any(session), shard, type, launch, uniqExact(position), uniqExactIf(position, severity >= 4), min(id)
      """, of: TelemetryTables.events, [Self.keys(of: names)], "GROUP BY shard, type, launch",
      first: [Self.numbers(of: names)])
    var counts: [SessionName: SessionCounts] = [:]
    let rows = try await rows(statement) { row in
      let (name, type) = (try SessionName(&row), try row.string())
      let isEvent = type != EventTypes.breadcrumb && type != EventTypes.summary
      let launch = try row.string()
      let (count, errors) = (
        Int64(clamping: try row.int(UInt64.self)), Int64(clamping: try row.int(UInt64.self))
      )
      let counted = CountedStretches.Launch(
        name: launch, events: isEvent ? count : 0, errors: isEvent ? errors : 0, first: try row.int())
      return (name, type, count, counted)
    }
    for (name, type, count, launch) in rows {
      counts[name, default: SessionCounts()].add(type: type, count: count)
      counts[name]?.add(launch)
    }
    return counts
  }
}

/// What is counted of a session's events.
private struct SessionCounts {
  var events: Int64 = 0
  var errors: Int64 = 0
  private var types: [String: Int64] = [:]
  /// In the order in which the first of each came.
  private(set) var launches: [(name: String, first: Int64)] = []

  mutating func add(type: String, count: Int64) { types[type, default: 0] += count }

  mutating func add(_ launch: CountedStretches.Launch) {
    events += launch.events
    errors += launch.errors
    if let index = launches.firstIndex(where: { $0.name == launch.name }) {
      launches[index].first = min(launches[index].first, launch.first)
    } else {
      launches.append((launch.name, launch.first))
    }
  }

  mutating func keep(_ names: Set<String>) { launches.removeAll { !names.contains($0.name) } }

  mutating func sort() { launches.sort { ($0.first, $0.name) < ($1.first, $1.name) } }

  func write(to session: inout SessionRow) {
    session.events = events
    session.errors = errors
    session.launches = launches.prefix(100).map(\.name)
    session.counts = types.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(100).map { ($0.key, $0.value) }
  }
}
