import ClickHouseTestServer
import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// The same statements on a current release, which is in a Python package.
@Suite(.enabled(if: Chdb.isInstalled, "\(Chdb.missing)"), .serialized)
struct CurrentReleaseTests {
  @Test func `A current release takes the tables of both forms, and rows in them`() throws {
    let chdb = try Chdb()
    // What comes again must be dropped by itself, not by a merge.
    try chdb.ask("SYSTEM STOP MERGES", parameters: false)
    var versions = try chdb.ask("SELECT version()")
    let text = try versions.string()
    let version = try #require(ClickHouseVersion(text))
    expectEqual(try Dialect.of(version), .current)
    for dialect in Dialect.allCases {
      let database = SQLName(trusted: "db_\(dialect.rawValue)")
      try chdb.ask("CREATE DATABASE \(database)", parameters: false)
      let migrator = SchemaMigrator(database: database, cluster: "pair")
      for _ in 0..<2 {
        for step in SchemaMigrator.steps {
          for statement in step.statements(migrator, dialect) { try chdb.ask(statement, parameters: false) }
        }
      }
      for table in TelemetryTables.all {
        try chdb.ask(table.createShared(in: database, cluster: "pair"), parameters: false)
      }
      try chdb.ask(SessionTables.createShared(in: database, cluster: "pair"), parameters: false)
      try rows(chdb, database, dialect)
    }
  }

  @Test func `A current release knows what is said with inserts, and needs it`() throws {
    let chdb = try Chdb()
    var names = try chdb.ask(InsertSettings.question)
    expectEqual(Set(try names.rows { try $0.string() }), Set(InsertSettings.wanted.map(\.name)))
    try chdb.ask("CREATE DATABASE many", parameters: false)
    try chdb.ask(TelemetryTables.events.create(in: "many", .current), parameters: false)
    let map = try ShardMap([.init(number: 1, weight: 1, hosts: [])])
    var events = ShardedRows(TelemetryTables.events, map)
    for number in 0..<300 as Range<Int64> {
      let event = SampleEvent(position: number, id: number, received: (20_000 + number) * 86_400_000)
      events.append(event.key) { event.write(&$0) }
    }
    let insert = TelemetryTables.events.insert(in: "many", .current)
    let refusal = #expect(throws: Chdb.Refusal.self) { try chdb.insert(events.parts[0].bytes, insert) }
    #expect(refusal?.message.contains("max_partitions_per_insert_block") == true)
    for (name, value) in InsertSettings.wanted {
      try chdb.ask(SQL(trusted: "SET \(name) = \(value)"), parameters: false, format: "Null")
    }
    try chdb.insert(events.parts[0].bytes, insert)
    var count = try chdb.ask("SELECT count() FROM many.events_local")
    expectEqual(try count.int(UInt64.self), 300)
  }

  @Test func `A current release has what it confirms on its disk`() throws {
    let chdb = try Chdb()
    try chdb.ask("CREATE DATABASE synced", parameters: false)
    let migrator = SchemaMigrator(database: "synced", cluster: nil)
    for step in SchemaMigrator.steps {
      for statement in step.statements(migrator, .current) { try chdb.ask(statement, parameters: false) }
    }
    var others = try chdb.ask(
      """
      SELECT name FROM system.tables WHERE database = 'synced' AND engine LIKE '%MergeTree' \
      AND NOT (match(engine_full, 'fsync_after_insert = (1|true)') AND match(engine_full, 'fsync_part_directory = (1|true)'))
      """)
    expectEqual(try others.rows { try $0.string() }, [])
    var count = try chdb.ask("SELECT count() FROM system.tables WHERE database = 'synced' AND engine LIKE '%MergeTree'")
    // All but the one that keeps nothing, and the sums of sessions.
    expectEqual(try count.int(UInt64.self), UInt64(TelemetryTables.all.count))
    // It takes rows with it.
    var event = ShardedRows(TelemetryTables.events, try ShardMap([.init(number: 1, weight: 1, hosts: [])]))
    event.append(1) { SampleEvent().write(&$0) }
    try chdb.insert(event.parts[0].bytes, TelemetryTables.events.insert(in: "synced", .current))
  }

  private func rows(_ chdb: Chdb, _ database: SQLName, _ dialect: Dialect) throws {
    let map = try ShardMap([.init(number: 1, weight: 1, hosts: [])])
    var events = ShardedRows(TelemetryTables.events, map)
    for (number, text) in hostileTexts.enumerated() {
      var event = SampleEvent(project: "it's", position: Int64(number), id: Int64(number), payload: text)
      event.received = Int64(20_000 + number % 2) * 86_400_000
      events.append(event.key) { event.write(&$0) }
    }
    let insert = TelemetryTables.events.insert(in: database, dialect)
    // The same block again, as after a confirmation that was lost.
    for _ in 0..<2 { try chdb.insert(events.parts[0].bytes, insert) }
    let table: SQL = "\(database).\(TelemetryTables.events.localName)"
    var count = try chdb.ask("SELECT count() FROM \(table)")
    // A block that comes again is dropped by the engine in the current form, and is still there in the plain one.
    let copies = dialect == .current ? 1 : 2
    expectEqual(try count.int(UInt64.self), UInt64(hostileTexts.count * copies))
    var payloads = try chdb.ask("SELECT payload FROM \(table) ORDER BY id LIMIT 1 BY launch, position")
    expectEqual(try payloads.rows { Array(buffer: try $0.bytes()) }, hostileTexts)
    try chdb.ask(TelemetryTables.events.drop(day: 20_001, in: database), parameters: false)
    count = try chdb.ask("SELECT count() FROM \(table) WHERE position % 2 = 1")
    expectEqual(try count.int(UInt64.self), 0)

    var contexts = ShardedRows(TelemetryTables.contexts, map)
    contexts.append(1) { row in
      row.string("p")
      row.string("launch")
      row.int(7 as Int64)
      for text in ["s", "ann", "1.0"] { row.string(text) }
      row.map([("tier", "gold"), ("x", "'\\")], dialect)
      row.string("{}")
      row.int(0 as Int64)
      row.day(20_000)
      row.int(8 as Int64)
      row.string("com.example.app")
    }
    try chdb.insert(contexts.parts[0].bytes, TelemetryTables.contexts.insert(in: database, dialect))
    let tag: SQL = dialect == .current ? "tags['x']" : "tags_values[indexOf(tags_keys, 'x')]"
    var tags = try chdb.ask("SELECT \(tag) FROM \(database).\(TelemetryTables.contexts.localName)")
    expectEqual(try tags.string(), "'\\")

    var parts = ShardedRows(SessionTables.parts, map)
    parts.append(1) { row in
      row.string("p")
      row.string("s")
      for number in [1, 2, 3, 4] as [Int64] { row.int(number) }
      for text in ["b", "1.0", "ann", "{}", "{}", "home"] { row.string(text) }
      row.int(5 as Int64)
      row.bool(true)
      row.array(["log"]) { $0.string($1) }
      row.array(["home"]) { $0.string($1) }
      row.day(20_000)
      row.array(["launch"]) { $0.string($1) }
    }
    for _ in 0..<2 { try chdb.insert(parts.parts[0].bytes, SessionTables.parts.insert(in: database, dialect)) }
    let user = try #require(SessionTables.value("user"))
    var users = try chdb.ask(
      "SELECT \(user) FROM \(database).\(SessionTables.localName) GROUP BY project, session")
    expectEqual(try users.rows { try $0.string() }, ["ann"])
  }

  @Test func `Hostile values are parameters of a current release`() throws {
    let chdb = try Chdb()
    for text in hostileTexts {
      for parameters in [true, false] {
        var back = try chdb.ask(
          "SELECT \(SQLValue.bytes(text)), \(SQLValue.strings([text, []]))", parameters: parameters)
        expectEqual(Array(buffer: try back.bytes()), text)
        expectEqual(try back.array { Array(buffer: try $0.bytes()) }, [text, []])
      }
    }
    var numbers = try chdb.ask("SELECT \(Int64.min), \(UInt64.max), \(SQLValue.ints([.min, .max]))")
    expectEqual(try numbers.int(Int64.self), .min)
    expectEqual(try numbers.int(UInt64.self), .max)
    expectEqual(try numbers.array { try $0.int(Int64.self) }, [.min, .max])
  }

  @Test func `The index of words is used`() throws {
    let chdb = try Chdb()
    try chdb.ask("CREATE DATABASE words", parameters: false)
    try chdb.ask(TelemetryTables.events.create(in: "words", .current), parameters: false)
    // Of a table without rows nothing is read, with or without an index.
    var rows = ShardedRows(TelemetryTables.events, try ShardMap([.init(number: 1, weight: 1, hosts: [])]))
    rows.append(1) { SampleEvent().write(&$0) }
    try chdb.insert(rows.parts[0].bytes, TelemetryTables.events.insert(in: "words", .current))
    var plan = try chdb.ask(
      "EXPLAIN indexes = 1 SELECT id FROM words.events_local WHERE hasToken(words, \(text: "checkout"))")
    let lines = try plan.rows { try $0.string() }
    #expect(lines.contains { $0.contains("words_index") }, "\(lines)")
  }
}
