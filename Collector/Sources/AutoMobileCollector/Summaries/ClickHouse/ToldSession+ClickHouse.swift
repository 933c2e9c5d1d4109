import AutoMobileClickHouse

extension ClickHouseReading {
  /// What devices have said of sessions; those of which they have said nothing are not in it.
  ///
  /// - Parameter now: what was to be kept until then is gone.
  func told(_ names: [SessionName], now: Int64) async throws -> [SessionFact.Name: ToldSession] {
    guard !names.isEmpty else { return [:] }
    let range = Self.range(of: names)
    let own = try await words(range)
    guard !own.isEmpty else { return [:] }
    // What a launch keeps is told with its other sessions, too.
    let launches = Set(own.map { LaunchName(project: $0.session.project, launch: $0.about) })
    let words = ToldWords(try await self.words(about: launches, beside: own))
    let (ledgers, here) = (try await ledgers(of: launches), try await here(names, Self.range(of: launches)))
    let sessions = Set(own.map(\.session))
    // Of few: to know it, all of a launch has to be counted.
    let uncounted = Set(sessions.flatMap { words.uncounted($0, here: here[$0] ?? [:]) })
    let left = try await left(of: uncounted)
    var told: [SessionFact.Name: ToldSession] = [:]
    for name in sessions {
      told[name] = words.session(name, here: here[name] ?? [:], ledgers: ledgers, left: left, now: now)
    }
    return told
  }

  /// What launches keep, by their last ledgers, without what has come since.
  private func left(of launches: Set<LaunchName>) async throws -> [LaunchName: Int64] {
    var left: [LaunchName: Int64] = [:]
    for (project, names) in Dictionary(grouping: launches, by: \.project) {
      for row in try await self.launches(names.sorted { $0.launch < $1.launch }) {
        left[LaunchName(project: project, launch: row.launchId)] = row.kept
      }
    }
    return left
  }

  private static func texts(_ values: some Sequence<String>) -> SQL {
    SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
  }

  private static func range(of launches: Set<LaunchName>) -> [SQL] {
    ["project IN (\(texts(launches.map(\.project)))) AND launch IN (\(texts(launches.map(\.launch))))"]
  }

  /// Of one launch so many sessions are asked for what it keeps, those that came last; of a page so many in all.
  private static let (othersOfLaunch, others) = (50, 1000)

  private func words(about launches: Set<LaunchName>, beside own: [ToldWords.Word]) async throws -> [ToldWords.Word] {
    let statement = copies(
      "project, session, launch, max(received) AS said", of: TelemetryTables.launchParts,
      Self.range(of: launches) + ["notEmpty(session)"],
      """
      GROUP BY project, session, launch ORDER BY said DESC, session \
      LIMIT \(count: Self.othersOfLaunch) BY project, launch LIMIT \(count: Self.others)
      """)
    let sessions = Set(
      try await rows(statement) { row in
        let name = SessionFact.Name(project: try row.string(), session: try row.string())
        (_, _) = (try row.string(), try row.int(Int64.self))
        return name
      })
    let others = sessions.subtracting(own.map(\.session)).map {
      SessionName(
        project: $0.project, session: $0.session, shard: ShardKey.of(project: $0.project, session: $0.session))
    }
    guard !others.isEmpty else { return own }
    var words = own
    for some in others.chunks(of: 500) { words += try await self.words(Self.range(of: some)) }
    return words.sorted { $0.id < $1.id }
  }

  /// The last word about each session in each launch, and those that say how one ended: whatever else a device has ever said of
  /// it, only these count.
  private func words(_ range: [SQL]) async throws -> [ToldWords.Word] {
    let columns: [SQLName] = [
      "id", "project", "session", "launch", "about", "same_as", "at", "kept", "until", "revision", "started", "ended",
      "final", "ending", "events", "counts", "screens", "visits", "launch_time", "launch_kind", "slow", "frozen",
      "requests", "errors", "failures", "crashes", "memory_peak", "memory_left", "memory_warnings",
    ]
    func words(_ kind: SQL, _ last: SQL) async throws -> [ToldWords.Word] {
      var rows = DistinctRows(TelemetryTables.summaries, columns)
      rows.range = [kind] + range
      let most = ToldWords.mostLaunches
      return try await self.rows(
        distinct(rows).inside {
          "SELECT * FROM (\($0) \(last)) ORDER BY id DESC LIMIT \(count: most) BY project, session"
        }
      ) { try Self.word(&$0) }
    }
    let latest = try await words(
      "isNull(same_as)", "ORDER BY revision DESC, final DESC, events DESC, id LIMIT 1 BY project, session, about")
    guard !latest.isEmpty else { return [] }
    let ends = try await words("isNotNull(same_as)", "")
    return (latest + ends).sorted { $0.id < $1.id }
  }

  private static func word(_ row: inout RowBinaryReader) throws -> ToldWords.Word {
    func number(_ row: inout RowBinaryReader) throws -> Int64 { try row.int() }
    func maybe(_ row: inout RowBinaryReader) throws -> Int64? { try row.nullable { try $0.int() } }
    let id = try number(&row)
    let session = SessionFact.Name(project: try row.string(), session: try row.string())
    let (launch, about, sameAs) = (try row.string(), try row.string(), try maybe(&row))
    let (at, kept, until) = (try number(&row), try number(&row), try maybe(&row))
    let revision = try number(&row)
    var told = ToldSession(startedAt: try number(&row), endedAt: try number(&row))
    told.revision = revision
    told.isFinal = try row.bool()
    told.end = try row.nullable { try $0.string() }
    told.events = try number(&row)
    told.counts = ToldSession.counts(try row.string())
    told.screens = ToldSession.tree(try row.string())?.elements.compactMap(\.string) ?? []
    told.screenVisits = try number(&row)
    told.launchTime = try maybe(&row)
    told.launchKind = try row.string()
    (told.slowFrames, told.frozenFrames) = (try number(&row), try number(&row))
    told.requests = ToldSession.counts(try row.string())
    (told.errors, told.failures, told.crashes) = (try number(&row), try number(&row), try number(&row))
    (told.memoryPeak, told.memoryLeft) = (try maybe(&row), try maybe(&row))
    told.memoryWarnings = try number(&row)
    return ToldWords.Word(
      id: id, session: session, launch: launch, about: about, sameAs: sameAs, at: at, kept: kept, until: until,
      told: told)
  }

  private func ledgers(of launches: Set<LaunchName>) async throws -> [LaunchName: ToldWords.Ledger] {
    var rows = DistinctRows(
      TelemetryTables.launches, columns: ["project", "launch", "kept", "sent", "received", "final"])
    rows.range = Self.range(of: launches)
    let found = try await self.rows(distinct(rows)) { row in
      let name = LaunchName(project: try row.string(), launch: try row.string())
      let (kept, sent) = (try row.nullable { try $0.int(Int64.self) }, try row.nullable { try $0.int(Int64.self) })
      let received = try row.int(Int64.self)
      return (
        name,
        ToldWords.Ledger(
          kept: kept, sent: LogRecord.sent(sent, received), isFinal: try row.bool())
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// Events that came from the launch itself: what a later one tells of it is in no summary of it.
  private func here(_ names: [SessionName], _ launches: [SQL]) async throws -> [SessionFact.Name: [String: Int64]] {
    try await CountedStretches(reading: self).sessions(names, launches).mapValues { session in
      Dictionary(session.launches.map { ($0.name, $0.events) }, uniquingKeysWith: +)
    }
  }
}
