import ClickHouseTestServer
import Foundation
import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// Two real shards.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct ClusterTests {
  private func counts(_ cluster: ClickHouseCluster) async throws -> [UInt64] {
    var counts: [UInt64] = []
    for shard in cluster.map.shards {
      counts += try await cluster.client.only(shard.hosts)
        .rows("SELECT count() FROM \(cluster.database).\(TelemetryTables.events.localName)") { try $0.int(UInt64.self) }
    }
    return counts
  }

  @Test(arguments: ["pair", "weighted"])
  func `Rows are put where the Distributed table puts them`(_ name: String) async throws {
    try await ClickHousePair.shared.with(cluster: name) { cluster in
      #expect(cluster.map.shards.map(\.number) == [1, 2])
      let events = (0..<400).map { SampleEvent(session: "session-\($0)", position: Int64($0), id: Int64($0)) }
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows(events, cluster))
      let own = try await counts(cluster)
      #expect(own.reduce(0, +) == 400 && own.allSatisfy { $0 > 40 })
      if name == "weighted" { #expect(own[1] > own[0] * 2) }
      // The same rows, through the table that knows by itself.
      // They are given another day, so that no merge makes them one.
      let columns = TelemetryTables.events.columnNames(cluster.dialect)
      let names = SQL(trusted: columns.joined(separator: ", "))
      let values = SQL(trusted: columns.map { $0 == "`day`" ? "`day` + 1" : $0 }.joined(separator: ", "))
      let table = cluster.readable(TelemetryTables.events)
      try await cluster.client.run(
        "INSERT INTO \(table) (\(names)) SELECT \(values) FROM \(table)", settings: [("insert_distributed_sync", "1")])
      #expect(try await counts(cluster) == own.map { $0 * 2 })
      for shard in cluster.map.shards {
        let lonely = try await cluster.client.only(shard.hosts).rows(
          """
          SELECT session FROM \(cluster.database).\(TelemetryTables.events.localName) GROUP BY session HAVING count() != 2
          """
        ) { try $0.string() }
        #expect(lonely == [])
      }
    }
  }

  @Test func `Events lie in small blocks, for whoever looks for a few of each session`() async throws {
    try await ClickHousePair.shared.with { cluster in
      for shard in cluster.map.shards {
        let tables = try await cluster.client.only(shard.hosts).rows(
          """
          SELECT name FROM system.tables WHERE database = \(text: cluster.database.text) \
          AND position(engine_full, 'index_granularity = 1024') > 0
          """
        ) { try $0.string() }
        #expect(tables == ["event_counts_local", "events_local"])
      }
    }
  }

  @Test func `Duplicates fall out before the limit is counted`() async throws {
    try await ClickHousePair.shared.with { cluster in
      // Each of 200 events on four days, so that no merge makes them one, and in many sessions, so that both shards have some.
      let events = (0..<200).map {
        SampleEvent(session: "s\($0 % 20)", position: Int64($0), id: Int64($0), timestamp: Int64($0))
      }
      let inserter = ClickHouseInserter(cluster, limits: .asBrought)
      for copy in 0..<4 as Range<Int64> {
        let copies = events.map { event in
          var event = event
          event.received += copy * 86_400_000
          event.id += copy * 1000
          return event
        }
        try await inserter.insert(ShardedRows(copies, cluster))
      }
      var question = DistinctRows(TelemetryTables.events, ["position", "id", "session"])
      question.order = ["`timestamp` DESC"]
      question.columns.append("timestamp")
      question.limit = 50
      let rows = try await cluster.client.rows(question.sql(cluster, selecting: ["`position`", "`id`"])) {
        (position: try $0.int(Int64.self), id: try $0.int(Int64.self))
      }
      #expect(rows.map(\.position) == (150..<200).reversed().map { Int64($0) })
      // Of two the one that came first.
      #expect(rows.allSatisfy { $0.id == $0.position })
      (question.limit, question.order) = (nil, [])
      question.range = ["session = \(text: "s3")", "project = \(text: "com.example.app")"]
      #expect(
        try await cluster.client.rows(question.sql(cluster, selecting: ["count()"])) { try $0.int(UInt64.self) } == [10]
      )
      // What it is there for: without the query inside, rows are missing. (Releases that mend it may have none missing.)
      let plain = try await cluster.client.rows(
        "SELECT `position` FROM \(cluster.readable(TelemetryTables.events)) ORDER BY timestamp DESC LIMIT 1 BY position LIMIT 50"
      ) { try $0.int(Int64.self) }
      if cluster.version == ClickHouseVersion(18, 16) { #expect(plain.count < 50) }
    }
  }

  @Test func `The ledger that counts most is the one that is read, whenever it came`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let inserter = ClickHouseInserter(cluster, limits: .asBrought)
      for (received, recorded) in [(86_400_000, 5), (1000, 9), (2 * 86_400_000, 1)] as [(Int64, Int64)] {
        var rows = ShardedRows(TelemetryTables.launches, cluster)
        rows.append(ShardKey.of(project: "p", session: "launch")) { row in
          row.string("p")
          row.string("launch")
          row.string("com.example.app")
          row.string("1.0")
          row.int(recorded)
          row.string("{}")
          row.int(0 as Int64)
          row.bool(recorded == 5)
          row.nullable(nil as Int64?)
          row.int(received)
          row.day(received / 86_400_000)
          row.nullable(received)
          row.int(recorded)
        }
        try await inserter.insert(rows)
      }
      var question = DistinctRows(TelemetryTables.launches, ["launch", "recorded", "final"])
      let recorded = try await cluster.client.rows(question.sql(cluster, selecting: ["recorded"])) {
        try $0.int(Int64.self)
      }
      #expect(recorded == [9])
      // One was final, and is not the last word.
      question.filter = ["final = 1"]
      #expect(
        try await cluster.client.rows(question.sql(cluster, selecting: ["recorded"])) { try $0.int(Int64.self) } == [])
    }
  }

  @Test func `A session adds up from what came of it, however often it came`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let inserter = ClickHouseInserter(cluster, limits: .asBrought)
      func part(_ first: Int64, _ user: String, _ screens: [String], day: Int64) -> ShardedRows {
        var rows = ShardedRows(SessionTables.parts, cluster)
        rows.append(ShardKey.of(project: "p", session: "s")) { row in
          row.string("p")
          row.string("s")
          row.int(first)
          row.int(first + 10)
          row.int(first + 20)
          row.int(first)
          for text in ["com.example.app", "1.0", user, "{}", "{}", screens.last ?? ""] { row.string(text) }
          row.int(first + 5)
          row.bool(first == 300)
          row.array(["log"]) { $0.string($1) }
          row.array(screens) { $0.string($1) }
          row.day(day)
          row.array(["launch \(day)"]) { $0.string($1) }
        }
        return rows
      }
      for _ in 0..<3 {
        try await inserter.insert(part(100, "ann", ["home"], day: 1))
        try await inserter.insert(part(300, "", ["cart", "home", "cart"], day: 2))
        try await inserter.insert(part(200, "bob", [], day: 1))
      }
      let values = try ["first", "last", "user", "screen", "failed", "screens", "launches"].map {
        try #require(SessionTables.value($0))
      }
      let rows = try await cluster.client.rows(
        "SELECT \(SQL.joined(values, ", ")) FROM \(cluster.readableSessions) GROUP BY project, session"
      ) {
        let numbers = "\(try $0.int(Int64.self)) \(try $0.int(Int64.self))"
        let texts = "\(try $0.string()) \(try $0.string()) \(try $0.int(UInt8.self))"
        let screens = try $0.array { try $0.string() }.sorted()
        return "\(numbers) \(texts) \(screens) \(try $0.array { try $0.string() }.sorted())"
      }
      #expect(rows == [#"100 310 bob cart 1 ["cart", "home"] ["launch 1", "launch 2"]"#])
    }
  }

  @Test func `A day is taken away alone`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let projects = ["one", "it's \\ \"`", "two"]
      let events = projects.flatMap { project in
        (0..<3 as Range<Int64>).map {
          SampleEvent(project: project, position: $0, id: $0, received: (20_000 + $0) * 86_400_000)
        }
      }
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows(events, cluster))
      for shard in cluster.map.shards {
        try await cluster.client.only(shard.hosts).run(
          TelemetryTables.events.drop(day: 20_001, in: cluster.database))
      }
      let left = try await cluster.client.rows(
        "SELECT project, position FROM \(cluster.readable(TelemetryTables.events)) ORDER BY project, position"
      ) { "\(try $0.string()) \(try $0.int(Int64.self))" }
      let wanted = events.filter { $0.position != 1 }.map { "\($0.project) \($0.position)" }
      #expect(left.sorted() == wanted.sorted())
    }
  }

  @Test func `What has become of shards since they were filled is said, and other names of their servers are nothing`()
    throws
  {
    func change(to shards: [(weight: Int, host: String)]) throws -> String? {
      try remembered([(1, "a"), (2, "b")]).change(to: try remembered(shards))
    }
    func remembered(_ shards: [(weight: Int, host: String)]) throws -> RememberedCluster {
      let map = try ShardMap(
        shards.enumerated().map { index, shard in
          .init(number: index + 1, weight: shard.weight, hosts: [.init(shard.host, 8123)])
        })
      return RememberedCluster(map, .plain, ClickHouseVersion(18, 16), [])
    }
    #expect(try change(to: [(1, "a"), (2, "b")]) == nil)
    #expect(try change(to: [(1, "a"), (2, "renamed")]) == nil)
    #expect(try change(to: [(1, "a"), (1, "b")])?.contains("2 (weight 2)") == true)
    #expect(try change(to: [(1, "a"), (2, "b"), (1, "c")])?.contains("3 (weight 1) now") == true)
    #expect(try change(to: [(1, "b"), (2, "a")]) == "b:8123 was shard 2, and is shard 1 now")
  }

  @Test func `Tables are made once, and those that need a newer program are left alone`() async throws {
    let pair = try await ClickHousePair.shared
    let name = "test_schema"
    try await pair.with(database: name) { cluster in
      try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows([SampleEvent()], cluster))
    }
    try await pair.with(database: name) { cluster in
      #expect(try await counts(cluster).reduce(0, +) == 1)
      let table: SQL = "\(cluster.database).\("automobile_schema" as SQLName)"
      let made = try await cluster.client.rows("SELECT version FROM \(table) ORDER BY version") {
        try $0.int(UInt32.self)
      }
      #expect(made == [1, 2, 3, 4])
      try await cluster.client.run(
        "INSERT INTO \(table) (version, dialect, at, oldest) SELECT toUInt32(1000), 'plain', now(), toUInt32(1000)")
    }
    let error = await #expect(throws: ClickHouseError.self) { try await pair.with(database: name) { _ in } }
    #expect(error?.kind == .setup && error?.message.contains("1000") == true)
  }

  @Test(
    arguments: [
      ("pair", 1, "no host of shard 2"), ("nothing", 2, "no cluster of this name"), ("doubled", 1, "several replicas"),
      (nil, 2, "cluster="),
    ] as [(String?, Int, String)])
  func `What is no cluster that can be used is refused, with the reason`(
    _ cluster: String?, _ hosts: Int, _ words: String
  ) async throws {
    var all = try await ClickHousePair.shared.address("test_refused", cluster: cluster)
    all.hosts = Array(all.hosts.prefix(hosts))
    let address = all
    let error = await #expect(throws: ClickHouseError.self) {
      try await ClickHouseCluster.open(address).shutdown()
    }
    #expect(error?.kind == .setup && error?.message.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `One server alone needs no cluster`() async throws {
    let cluster = try await ClickHouseCluster.open(ClickHousePair.shared.servers[0].address("test_alone"))
    try await ClickHouseInserter(cluster, limits: .asBrought).insert(ShardedRows([SampleEvent()], cluster))
    let rows = try await cluster.client.rows(DistinctRows(TelemetryTables.events, ["position"]).sql(cluster)) {
      try $0.int(Int64.self)
    }
    #expect(rows == [0])
    try await cluster.shutdown()
  }

  @Test func `Keys are spread evenly, and the same for ever`() throws {
    #expect(ShardKey.of(project: "p", session: "s") != ShardKey.of(project: "ps", session: ""))
    let map = try ShardMap((1...3).map { .init(number: $0, weight: 1, hosts: []) })
    var counts = [0, 0, 0]
    for number in 0..<30_000 { counts[map.index(of: ShardKey.of(project: "p", session: "\(number)"))] += 1 }
    #expect(counts.allSatisfy { (9500...10_500).contains($0) })
    #expect(throws: ClickHouseError.self) { try ShardMap([]) }
    #expect(throws: ClickHouseError.self) { try ShardMap([.init(number: 1, weight: 0, hosts: [])]) }
  }

  @Test func `A day is written as the calendar has it`() {
    for (days, text) in [
      (0, "1970-01-01"), (59, "1970-03-01"), (789, "1972-02-29"), (20_000, "2024-10-04"), (11_016, "2000-02-29"),
    ]
      as [(Int64, String)]
    {
      #expect(CivilDay(days).description == text)
    }
  }
}
