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
      try await selection.statement(
        ["\(key)"], order: ["\(key) DESC", "toInt64(shard) DESC"], limit: limit, and: further)
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
      said_screen, toUInt8(\(isLive)), \
      arraySlice(said_launches, 1, \(count: CountedStretches.mostLaunches)) FROM (\($0))
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
        counts.launches.suffix(1).map { LaunchName(project: name.project, launch: $0) }
      })
    let told = try await toldOf
    let sums = told.isEmpty ? [:] : try await toldEnds(of: range)
    let (imports, clashing) = try await (importsOf, clashingOf)
    return names.compactMap { name in
      guard var session = all[name] else { return nil }
      let counts = counts[name] ?? SessionCounts()
      counts.write(to: &session)
      if let launch = counts.launches.last {
        session.lastEnd = ends[LaunchName(project: name.project, launch: launch)]?.verdict
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
    async let typesOf = stretches.types(of: names, areRead: false)
    let sessions = try await stretches.sessions(names)
    func fact(_ name: SessionName) -> SessionFact.Name { .init(project: name.project, session: name.session) }
    let others = names.filter { sessions[fact($0)]?.isRead == true }
    let read = try await stretches.types(of: others, areRead: true)
    let types = try await typesOf
    return names.reduce(into: [:]) { counts, name in
      guard let session = sessions[fact(name)] else { return }
      counts[name] = SessionCounts(
        session: session, types: (session.isRead ? read : types)[fact(name)] ?? [],
        launches: session.launches.map(\.name))
    }
  }
}

/// What is counted of a session's events.
private struct SessionCounts {
  var session = CountedSession()
  var types: [(type: String, count: Int64)] = []
  /// In the order in which the first of each came.
  private(set) var launches: [String] = []

  init() {}

  init(session: CountedSession, types: [(type: String, count: Int64)], launches: [String]) {
    (self.session, self.types, self.launches) = (session, types, launches)
  }

  mutating func keep(_ names: Set<String>) { launches.removeAll { !names.contains($0) } }

  func write(to row: inout SessionRow) {
    row.events = session.events
    row.errors = session.errors
    row.launches = Array(launches.prefix(100))
    row.counts = types.map { ($0.type, $0.count) }
  }
}
