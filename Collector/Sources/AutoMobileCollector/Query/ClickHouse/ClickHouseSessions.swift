import AutoMobileClickHouse

/// Sessions, read out of ClickHouse.
///
/// What differs from one machine's index, and why (`Documentation/Cluster.md` has the same for whoever runs it):
/// - A search for words looks at all events, not at the newest 20 000 hits, and never falls back to whole words.
/// - A phrase in events is found by its words, and where its longest part stands in the event's JSON, names of members included:
///   18.16 reads no JSON.
/// - By which event a session was found (``SessionRow/match``) is looked for among all of its events, for some time.
/// - A delivery that comes again changes when something of its sessions last came, and with it what is live.
struct ClickHouseSessions: SessionReading {
  let telemetry: ClickHouseTelemetry
  /// Has what people have decided about issues; nil: nothing.
  var state: StateBeside?

  /// How long by which events sessions were found may take: their words, and then what else they are.
  var patience: Duration = .seconds(1)

  /// Of one session, in one answer.
  private static let launches = 10_000

  func list(
    _ scope: ReadScope, _ filter: SessionFilter, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> (page: Page<SessionRow>, isWholeWords: Bool) {
    let live = now - SessionRow.liveMilliseconds
    let page = try await telemetry.read(scope, filter.isCheap ? .light : .heavy) { reading in
      let matches = ClickHouseSessionMatches(
        sought: SessionMatches(filter.query), patience: patience,
        latest: .now + .seconds(0.8 * reading.limits.readSeconds))
      let selection = try ClickHouseSessionSelection(filter, reading, live: live)
      let key = selection.key(filter.order, filter.query)
      return try await reading.page(selection, by: key, before: before, limit: limit, live: live, matches: matches)
    }
    return (page, false)
  }

  func facets(_ scope: ReadScope, _ filter: SessionFilter, now: Int64) async throws -> SessionFacets {
    let live = now - SessionRow.liveMilliseconds
    return try await telemetry.read(scope, .heavy) { reading in
      let selection = try ClickHouseSessionSelection(filter.withoutFacets, reading, live: live)
      let terms = ClickHouseSessionFilterTerms(reading: reading, live: live)
      let has = ["crash", "hang", "failed", "error", "live"]
      let single: [SQL] = [
        "said_bundle", "said_version", ClickHouseSessionTerms.model, ClickHouseSessionTerms.system,
        SessionColumns.ended,
      ]
      let flags = try has.map { "toUInt8(\(try terms.has($0)))" as SQL }
      let statement = try await selection.statement(
        single + flags, order: ["said_last DESC"], limit: SessionFacets.most)
      var facets = SessionFacets(filter)
      let rows = try await reading.rows(statement) { row in
        _ = try SessionName(&row)
        let values = try single.map { _ in try row.string() }
        return (values, try flags.map { _ in try row.bool() })
      }
      let names: [SessionFilter.Facet] = [.app, .version, .device, .os, .ended]
      for (values, held) in rows {
        facets.add(
          zip(names, values).map { ($0, $1.isEmpty ? nil : $1) }, has: Set(zip(has, held).filter(\.1).map(\.0)))
      }
      return facets
    }
  }

  func exists(_ scope: ReadScope, _ id: String) async throws -> Bool {
    try await telemetry.read(scope) { try await $0.session(named: id) != nil }
  }

  func session(
    _ scope: ReadScope, _ id: String, now: Int64
  ) async throws -> (session: SessionRow, launches: Page<LaunchRow>)? {
    let live = now - SessionRow.liveMilliseconds
    return try await telemetry.read(scope) { reading -> (session: SessionRow, launches: Page<LaunchRow>)? in
      guard let name = try await reading.session(named: id),
        let session = try await reading.sessions([name], live: live).first
      else { return nil }
      let launches = try await reading.launches(
        session.launches.prefix(Self.launches).map { LaunchName(project: name.project, launch: $0) })
      return (session, Page(launches, limit: Self.launches, bytes: reading.limits.pageBytes))
    }
  }

  // MARK: People

  func user(_ scope: ReadScope, _ name: String, app: String?) async throws -> UserAnswer? {
    let decisions = try await state?.copy.read { try KnownDecisions(in: $0) } ?? KnownDecisions()
    return try await telemetry.read(scope, .heavy) { reading -> UserAnswer? in
      var conditions = Self.ofUser(name, app)
      // Of whom only summaries came is known, too.
      conditions.append("\(SessionColumns.events) > 0")
      let crash = reading.copies("DISTINCT project, session", of: TelemetryTables.reports, ["kind = 'crash'"]).sql
      let statement = try await ClickHouseSessionSelection(SessionFilter(), reading, live: 0).statement(
        [
          "said_bundle", "said_version", ClickHouseSessionTerms.model, ClickHouseSessionTerms.system, "said_tags",
          "said_first", "said_last", "toInt64(counted_events)", "toInt64(counted_errors)",
          "toUInt8((project, session) IN (\(crash)))",
        ], order: ["said_last DESC"], limit: UserAnswer.most, and: conditions)
      var answer = UserAnswer(name: name)
      let rows = try await reading.rows(statement) { row in
        _ = try SessionName(&row)
        func told(_ row: inout RowBinaryReader) throws -> String? {
          let text = try row.string()
          return text.isEmpty ? nil : text
        }
        return UserAnswer.Session(
          app: try told(&row), version: try told(&row), device: try told(&row), system: try told(&row),
          tags: try told(&row), first: try row.int(), last: try row.int(), events: try row.int(), errors: try row.int(),
          hasCrashed: try row.bool())
      }
      for row in rows { answer.add(row) }
      guard answer.sessions > 0 else { return nil }
      answer.isPartial = answer.sessions == UserAnswer.most
      answer.issues = try await IssueRows(reading, decisions).issues(
        of: ClickHouseTerms.all(Self.ofUser(name, app)), newest: UserAnswer.most)
      return answer
    }
  }

  func sessions(
    _ scope: ReadScope, ofUser name: String, app: String?, before: PageCursor?, limit: Int, now: Int64
  ) async throws -> Page<SessionRow> {
    let live = now - SessionRow.liveMilliseconds
    return try await telemetry.read(scope) { reading in
      let selection = try ClickHouseSessionSelection(SessionFilter(), reading, live: live)
      return try await reading.page(
        selection, by: "said_last", before: before, limit: limit, live: live, and: Self.ofUser(name, app))
    }
  }

  private static func ofUser(_ name: String, _ app: String?) -> [SQL] {
    ["said_user = \(text: name)"] + (app.map { ["said_bundle = \(text: $0)"] } ?? [])
  }

  // MARK: Apps

  func came(fromApps bundles: [String]) async throws -> [String: AppSessions] {
    guard !bundles.isEmpty else { return [:] }
    return try await telemetry.readOwn { reading in
      let list = SQL.joined(bundles.map { "\(text: $0)" }, ", ")
      let statement = reading.sessions(
        SeenSessions(selected: SessionColumns.named(in: ["said_bundle said_received"]))
      ).inside {
        "SELECT said_bundle, count(), max(said_received) FROM (\($0)) WHERE said_bundle IN (\(list)) GROUP BY said_bundle"
      }
      let rows = try await reading.rows(statement) { row in
        (try row.string(), AppSessions(count: Int64(clamping: try row.int(UInt64.self)), received: try row.int()))
      }
      return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
  }
}
