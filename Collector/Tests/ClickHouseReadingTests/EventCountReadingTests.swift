import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// How many events there are, of what was counted when they came: what counting them says.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct EventCountReadingTests {
  private static let now: Int64 = 1_700_900_000_000

  // MARK: Against the index

  @Test func `Lists, launches and losses are the same, in whichever way a device sends again`() async throws {
    let twins = try await Twins.counted
    let scope = try twins.store.everything()
    for (order, words) in [
      (.newest, ""), (.events, ""), (.errors, ""), (.events, "events:>3"), (.errors, "errors:>0"),
    ] as [(SessionFilter.Order, String)] {
      var filter = SessionFilter()
      filter.order = order
      filter.query = try SearchQuery(words, in: .sessions)
      try await twins.compare("\(order) \(words)") {
        try await SQLiteSessions(store: twins.store).list(scope, filter, before: nil, limit: 100, now: Self.now).page
          .rows
      } _: {
        try await ClickHouseSessions(telemetry: $0).list(scope, filter, before: nil, limit: 100, now: Self.now).page
          .rows
      } as: { rows, _ in
        rows.map(\.described).sorted().joined(separator: "\n")
      }
    }
    try await twins.compare("launches") {
      try await SQLiteLaunches(store: twins.store).list(scope, before: nil, limit: 100).rows
    } _: {
      try await ClickHouseLaunches(telemetry: $0).list(scope, before: nil, limit: 100).rows
    } as: { rows, _ in
      // Of what a launch tells of other launches' sessions, one machine alone knows in a launch's row.
      rows.filter { $0.launchId != HealthDeliveries.telling.description }
        .map { "\($0.launchId) \($0.stored) \($0.quarantined) \($0.recorded)" }.sorted().joined(separator: "\n")
    }
    let filter = HealthFilter(
      from: HealthDeliveries.start - 1000, to: HealthDeliveries.start + 24 * HealthDeliveries.hour)
    try await twins.compare("losses") {
      try await SQLiteHealth(store: twins.store).report(scope, filter)
    } _: {
      try await ClickHouseHealth(telemetry: $0).report(scope, filter)
    } as: { report, _ in
      let (losses, sessions) = (report.losses.all, report.stability.sessions)
      return "\(losses.launches) \(losses.stored) \(losses.lost) \(sessions.count) \(sessions.bySummary)"
    }
  }

  @Test func `Only what came again in part is counted by its events`() async throws {
    for twin in try await Twins.counted.twins {
      let overlapping = try await twin.telemetry.readOwn { reading in
        try await reading.rows(CountedStretches(reading: reading).byLaunch([])) { row in
          _ = try row.string()
          let launch = try row.string()
          _ = try row.int(Int64.self)
          return try row.bool() ? launch : nil
        }
      }
      #expect(Set(overlapping.compactMap(\.self)) == RepeatedDeliveries.read, "\(twin.name)")
      try await Self.compare(twin.telemetry, twin.name)
    }
  }

  // MARK: Against the events

  /// Of each launch in each session.
  private static func counted(_ telemetry: ClickHouseTelemetry, many: Bool = false) async throws -> [String] {
    try await telemetry.readOwn { reading in
      var stretches = CountedStretches(reading: reading)
      if many { stretches.mostNames = 0 }
      let events = try await stretches.bySession([.events, .errors]).inside {
        "SELECT project, session, launch, events, errors FROM (\($0)) WHERE events > 0"
      }
      return try await reading.rows(events) { try line(&$0) }.sorted()
    }
  }

  private static func line(_ row: inout RowBinaryReader) throws -> String {
    "\(try row.string()) \(try row.string()) \(try row.string()) \(try row.int(Int64.self)) \(try row.int(Int64.self))"
  }

  private static func read(_ telemetry: ClickHouseTelemetry) async throws -> [String] {
    try await telemetry.readOwn { reading in
      try await reading.rows(
        reading.copies(
          "project, session, launch, toInt64(uniqExact(position)), toInt64(uniqExactIf(position, severity >= 4))",
          of: TelemetryTables.events, [SessionColumns.isEvent], "GROUP BY project, session, launch")
      ) { try line(&$0) }.sorted()
    }
  }

  private static func compare(
    _ telemetry: ClickHouseTelemetry, _ what: String, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let read = try await read(telemetry)
    #expect(!read.isEmpty, "\(what)", sourceLocation: location)
    for many in [false, true] {
      let isSame = try await counted(telemetry, many: many) == read
      #expect(isSame, "\(what)", sourceLocation: location)
    }
  }

  // MARK: What is in a database of its own

  private static let limits = CollectorLimits()

  private static func telemetry(_ cluster: ClickHouseCluster) -> ClickHouseTelemetry {
    ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
  }

  /// Who takes in what comes.
  private enum Program: CaseIterable {
    case this
    /// Of before: it counts, and writes down nothing of what failed.
    case counting
    /// Of before that: it counts nothing.
    case former
  }

  /// - Parameter number: of the first record of the first delivery.
  private static func insert(
    _ deliveries: [Delivery], into cluster: ClickHouseCluster, from index: Int = 0, by program: Program = .this
  ) async throws {
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    let tables = try deliveries.enumerated().flatMap { place, delivery in
      try Twins.rows([delivery], cluster.map, cluster.dialect, from: index + place, limits)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for rows in tables {
        switch (rows.table.name, program) {
        case ("event_counts", .former): break
        case ("event_counts", .counting):
          try await insertAsBefore(rows, cluster, without: EventCountTable.failures.map(\.name.quoted))
        case ("launch_parts", .former): try await insertAsBefore(rows, cluster, without: ["`counted`", "`keeping`"])
        case ("launch_parts", .counting): try await insertAsBefore(rows, cluster, without: ["`keeping`"])
        default: group.addTask { try await inserter.insert(rows) }
        }
      }
      try await group.waitForAll()
    }
  }

  /// As a program inserts them that does not know some columns.
  private static func insertAsBefore(
    _ rows: ShardedRows, _ cluster: ClickHouseCluster, without unknown: [String]
  ) async throws {
    let names = rows.table.columnNames(cluster.dialect)
    let known = SQL(trusted: names.filter { !unknown.contains($0) }.joined(separator: ", "))
    let all = SQL(trusted: names.joined(separator: ", "))
    let own = SQL(trusted: rows.table.localName.quoted)
    let through: SQL = "\(cluster.database).`former`"
    for part in rows.parts {
      let client = cluster.client.only(cluster.map.shards[part.shard].hosts)
      try await client.run("CREATE TABLE IF NOT EXISTS \(through) AS \(cluster.database).\(own) ENGINE = Memory")
      try await client.insert(part.bytes, "INSERT INTO \(through) (\(all))")
      try await client.run("INSERT INTO \(cluster.database).\(own) (\(known)) SELECT \(known) FROM \(through)")
      try await client.run("DROP TABLE \(through)")
    }
  }

  private static func run(_ statement: SQL, _ cluster: ClickHouseCluster) async throws {
    for shard in cluster.map.shards { try await cluster.client.only(shard.hosts).run(statement) }
  }

  private static func shown(_ telemetry: ClickHouseTelemetry, _ scope: ReadScope) async throws -> String {
    var lines: [String] = []
    for order in [SessionFilter.Order.events, .errors] {
      var filter = SessionFilter()
      filter.order = order
      let rows = try await ClickHouseSessions(telemetry: telemetry).list(
        scope, filter, before: nil, limit: 100, now: now
      ).page.rows
      lines += rows.map {
        "\($0.sessionId) \($0.place.key) \($0.events) \($0.errors) \($0.counts) \($0.launches) \($0.failures)"
      }
    }
    let launches = try await ClickHouseLaunches(telemetry: telemetry).list(scope, before: nil, limit: 100).rows
    lines += launches.map { "\($0.launchId) \($0.stored)" }
    let filter = HealthFilter(
      from: HealthDeliveries.start - 1000, to: HealthDeliveries.start + 24 * HealthDeliveries.hour)
    let losses = try await telemetry.read(scope) { try await RecorderLosses(filter, $0).all }
    return (lines + ["\(losses.launches) \(losses.stored) \(losses.lost)"]).joined(separator: "\n")
  }

  @Test func `Nobody reads events to count them or to say what failed, however often a delivery came`() async throws {
    let scope = try await Twins.counted.store.everything()
    try await ClickHousePair.shared.with { cluster in
      let deliveries = StoryDeliveries.all + HealthDeliveries.all + Self.failing
      try await Self.insert(deliveries + Twins.again(deliveries), into: cluster)
      let telemetry = Self.telemetry(cluster)
      try await Self.compare(telemetry, "before")
      let before = try await Self.shown(telemetry, scope)
      #expect(before.contains("said 199") && before.contains("POST /v1/pay: 503"))
      for table in [TelemetryTables.events, TelemetryTables.requests] {
        try await Self.run("TRUNCATE TABLE \(cluster.tables.local(table))", cluster)
      }
      let after = try await Self.shown(telemetry, scope)
      #expect(before == after, "\(Twins.difference(after, before))")
      #expect(try await !Self.counted(telemetry).isEmpty)
    }
  }

  @Test func `What programs of before take in is counted by its events, while others count theirs`() async throws {
    let scope = try await Twins.counted.store.everything()
    let deliveries = StoryDeliveries.all + HealthDeliveries.all + RepeatedDeliveries.all + Self.failing
    var shown: [String] = []
    for program in Program.allCases {
      try await ClickHousePair.shared.with { cluster in
        for index in deliveries.indices where program != .this && index % 2 == 0 {
          try await Self.insert([deliveries[index]], into: cluster, from: index, by: program)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for index in deliveries.indices where program == .this || index % 2 == 1 {
            group.addTask { try await Self.insert([deliveries[index]], into: cluster, from: index) }
          }
          try await group.waitForAll()
        }
        let telemetry = Self.telemetry(cluster)
        try await Self.compare(telemetry, "\(program)")
        shown.append(try await Self.shown(telemetry, scope))
      }
    }
    for other in shown { #expect(other == shown[0], "\(Twins.difference(other, shown[0]))") }
  }

  /// More errors in one session than a list looks at, in several deliveries and in no order of time.
  private static var failing: [Delivery] {
    var app = Delivery()
    app.context(session: "failing")
    for index in 0..<200 {
      let time = RepeatedDeliveries.start + 1 + Int64(index * 67 % 200)
      app.event("log", at: time, #""level":4,"message":"said \#(index * 67 % 200)","filterName":"all""#)
    }
    var paying = Delivery()
    paying.context(session: "paying")
    paying.request("POST", "https://api.example/v1/pay", at: RepeatedDeliveries.start, status: 503)
    return [app.part(Array(0..<80)), app.part([0] + Array(80..<200)), app.part([0, 200]), paying]
  }

  @Test func `A delivery over midnight is counted on the days on which its events are kept`() async throws {
    try await ClickHousePair.shared.with { cluster in
      var app = Delivery()
      app.context(session: "late")
      for index in 0..<6 { app.event("log", at: Int64(index), #""level":2,"message":"m","filterName":"all""#) }
      let midnight = FrameNumbers.epoch + 400 * 86_400_000
      app.received = midnight - 1
      var rows = TelemetryRows(cluster.map, cluster.dialect, limits: Self.limits)
      try app.bytes.withUnsafeBytes { bytes in
        // The context and two events before it.
        let number = FrameNumbers.first(at: midnight) - 3 * FrameNumbers.step
        _ = rows.add(bytes, of: .app(app.bundle), receivedAt: app.received, number: number)
      }
      rows.finish()
      let inserter = ClickHouseInserter(cluster, limits: .asBrought)
      for table in rows.all { try await inserter.insert(table) }
      let telemetry = Self.telemetry(cluster)
      try await Self.compare(telemetry, "both days")
      let day = midnight / 86_400_000 - 1
      for table in [TelemetryTables.events, TelemetryTables.eventCounts] {
        try await Self.run(table.drop(day: day, in: cluster.database), cluster)
      }
      try await Self.compare(telemetry, "the second day")
      #expect(try await Self.counted(telemetry).map { $0.suffix(4) } == [" 4 0"])
    }
  }

  @Test func `What is moved out of an index is counted on the way`() async throws {
    let stage = try MoveStage(StoryDeliveries.all + HealthDeliveries.all)
    defer { stage.remove() }
    try await stage.move()
    let cluster = try await Twins.cluster(stage.database)
    let telemetry = Self.telemetry(cluster)
    try await Self.compare(telemetry, "moved")
    let read = try await Self.read(telemetry)
    try await Self.run("TRUNCATE TABLE \(cluster.tables.local(TelemetryTables.events))", cluster)
    #expect(try await Self.counted(telemetry) == read)
  }

  @Test func `However many types, launches and sessions there are, an answer has few of them`() async throws {
    let scope = try await Twins.counted.store.everything()
    for former in [false, true] {
      try await ClickHousePair.shared.with { cluster in
        var wide = Delivery()
        wide.context(session: "wide")
        for index in 0..<300 { wide.event("type \(index % 150)", at: Int64(index)) }
        wide.event("log", at: 300)
        wide.event("log", at: 301)
        wide.event("log", at: 302)
        var many = Delivery()
        for index in 0..<5100 { many.event("log", at: 1, #""sessionId":"s\#(index)""#) }
        try await Self.insert([wide, many], into: cluster, by: former ? .former : .this)
        let telemetry = Self.telemetry(cluster)
        let name = SessionName(
          project: DataOwner.app(wide.bundle).name, session: "wide",
          shard: ShardKey.of(project: DataOwner.app(wide.bundle).name, session: "wide"))
        let (types, session) = try await telemetry.readOwn { reading in
          let stretches = CountedStretches(reading: reading)
          return (
            try await stretches.types(of: [name], areRead: former).values.first ?? [],
            try await stretches.sessions([name]).values.first
          )
        }
        #expect(types.count == CountedStretches.mostTypes)
        #expect(types.first?.type == "log" && types.first?.count == 3 && types.last?.count == 2)
        #expect(session?.events == 303 && session?.isRead == former)
        let launches = try await ClickHouseLaunches(telemetry: telemetry).list(scope, before: nil, limit: 10).rows
        #expect(launches.map(\.stored).sorted() == [303, 5100])
      }
    }
  }
}
