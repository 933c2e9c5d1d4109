import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Records as rows, without a server.
@Suite struct `Rows of records` {
  static func rows(
    _ batches: [RawBatch], dialect: Dialect = .plain, given: [ContextQuestion: ContextAnswer] = [:],
    erased: ErasedNames? = nil
  ) throws -> TelemetryRows {
    let map = try ShardMap([1, 2].map { .init(number: $0, weight: 1, hosts: []) })
    var rows = TelemetryRows(map, dialect, limits: CollectorLimits(), given: given, erased: erased)
    for (index, batch) in batches.enumerated() {
      try batch.bytes().withUnsafeBytes {
        _ = rows.add($0, of: FollowedLog.owner, receivedAt: 1_700_000_100_000, number: Int64(index) << 20)
      }
    }
    rows.finish()
    return rows
  }

  private func bytes(_ rows: TelemetryRows) -> [[UInt8]] {
    rows.all.flatMap { table in table.parts.map { Array(buffer: $0.bytes) } }
  }

  static var samples: [RawBatch] {
    var first = RawBatch()
    first.addContext(1, session: "s-1", user: "ada", tags: ["plan": "pro", "b": "2", "a": "1"])
    for index in 0..<20 { first.addNavigation(to: "Screen \(index)", at: 1000 + index) }
    first.addLog("a failure", at: 2000, level: 5)
    first.ledger = LaunchLedger(recorded: 21, dropped: ["expired": 2, "evicted": 1, "filtered": 4])
    var second = RawBatch()
    for index in 0..<20 {
      second.addContext(index + 1, session: "s-\(index)", user: "u\(index)")
      second.addLog("of \(index)", at: 3000 + index, context: index + 1)
    }
    return [first, second, first.following()]
  }

  @Test func `The same deliveries are the same bytes, in whatever order sets and dictionaries come`() throws {
    // The launches of other samples are others, and may lie on other shards.
    let samples = Self.samples
    let again = try (0..<20).map { _ in bytes(try Self.rows(samples)) }
    #expect(Set(again).count == 1)
    #expect(again[0].count > 1)
  }

  @Test func `What is not in the batch is asked for, and an answer makes the same rows as a record of it`() throws {
    var told = RawBatch()
    told.addContext(4, session: "s-4")
    var events = RawBatch(launch: told.launch, from: told.position)
    events.addLog("an event", context: 4)
    events.add(.breadcrumb, #"{"timestamp":5.5,"message":"a crumb"}"#)
    let alone = try Self.rows([events])
    let name = told.launch.description
    let project = FollowedLog.owner.name
    let numbered = ContextQuestion.numbered(project: project, launch: name, number: 4)
    #expect(alone.missing.count == 2)
    #expect(alone.missing.contains(numbered))
    #expect(alone.used.isEmpty)
    let context = KnownContext(number: 4, session: "s-4", bundle: "dev.example.shop", version: "2.1")
    let answered = Dictionary(
      uniqueKeysWithValues: alone.missing.map { ($0, ContextAnswer(context: context)) })
    let given = try Self.rows([events], given: answered)
    #expect(given.missing.isEmpty)
    #expect(given.used == answered)
    // Both stand where those of a batch with the record stand.
    let together = try Self.rows([told, events])
    #expect(together.missing.isEmpty)
    #expect(given.events.parts.map(\.shard) == together.events.parts.map(\.shard))
    #expect(given.events.byteCount == together.events.byteCount)
  }

  @Test(.enabled(if: Chdb.isInstalled, "\(Chdb.missing)"), arguments: [Dialect.plain, .current])
  func `A current release takes the rows of every table, and has as many`(_ dialect: Dialect) throws {
    let chdb = try Chdb()
    try chdb.ask("CREATE DATABASE rows", parameters: false)
    let migrator = SchemaMigrator(database: "rows", cluster: nil)
    for step in SchemaMigrator.steps {
      for statement in step.statements(migrator, dialect) { try chdb.ask(statement, parameters: false) }
    }
    let rows = try Self.rows([`The way into ClickHouse`.everything()] + Self.samples, dialect: dialect)
    let tables = rows.all
    #expect(Set(tables.map(\.table.name)).isSuperset(of: ["events", "requests", "spans", "reports", "summaries"]))
    for table in tables {
      for part in table.parts {
        try chdb.insert(part.bytes, table.table.insert(in: "rows", dialect))
      }
      guard table.table.name != "session_parts" else { continue }
      var answer = try chdb.ask("SELECT count() FROM (SELECT DISTINCT * FROM rows.\(table.table.localName))")
      let count = try answer.int(UInt64.self)
      #expect(count == UInt64(table.count), "\(table.table.name)")
    }
    var answer = try chdb.ask("SELECT uniqExact(session) FROM rows.sessions_local")
    let sessions = try answer.int(UInt64.self)
    #expect(sessions == 20)
    let tag: SQL = dialect == .current ? "tags['plan']" : "tags_values[indexOf(tags_keys, 'plan')]"
    answer = try chdb.ask("SELECT \(tag) FROM rows.contexts_local WHERE position = 0 AND user = 'ada' LIMIT 1")
    let plan = try answer.string()
    #expect(plan == "pro")
  }

  @Test func `A context is known to the next batch, and forgotten when there are too many`() throws {
    var batch = RawBatch()
    batch.addContext(4, session: "s-4")
    batch.addContext(5, session: "s-5")
    let rows = try Self.rows([batch])
    var cache = ContextCache(capacity: 10)
    rows.remember(in: &cache)
    let (project, launch) = (FollowedLog.owner.name, batch.launch.description)
    func number(_ question: ContextQuestion) -> Int64? { cache.answer(question)?.context?.number }
    #expect(number(.numbered(project: project, launch: launch, number: 5)) == 5)
    #expect(number(.numbered(project: "app other", launch: launch, number: 5)) == nil)
    #expect(number(.current(project: project, launch: launch, before: .max)) == 5)
    #expect(number(.current(project: project, launch: launch, before: 1)) == 4)
    #expect(number(.current(project: project, launch: launch, before: 0)) == nil)
    for index in 0..<20 {
      let context = KnownContext(number: 1, session: "x", bundle: nil, version: nil)
      cache.add(context, at: 0, project: project, launch: "other \(index)")
    }
    #expect(number(.numbered(project: project, launch: launch, number: 5)) == nil)
  }

  @Test func `What is held back of a context takes room by its length, and goes when it is written`() {
    let question = ContextQuestion.numbered(project: "p", launch: "a", number: 1)
    var cache = ContextCache(capacity: 100)
    func add(_ number: Int64, _ launch: String, held length: Int) {
      var context = KnownContext(number: number, session: nil, bundle: nil, version: nil)
      if length > 0 {
        context.held = HeldContext(
          json: String(repeating: "x", count: length), received: 1, position: 1, id: 1)
      }
      cache.add(context, at: nil, project: "p", launch: launch)
    }
    add(1, "a", held: 1000)
    add(2, "b", held: 0)
    #expect(cache.answer(question)?.context?.held != nil)
    cache.wrote(1, project: "p", launch: "a")
    #expect(cache.answer(question) != nil && cache.answer(question)?.context?.held == nil)
    // More than a hundred small ones: there is no room for both.
    add(1, "a", held: 100_000)
    add(2, "b", held: 0)
    #expect(cache.answer(question) == nil)
  }

  @Test func `A ledger that counts more is later, whatever else it says`() {
    func later(_ recorded: UInt64, final: Bool = false, kept: UInt64? = nil) -> Int64 {
      BatchLaunch.later(LaunchLedger(recorded: recorded, final: final, kept: kept))
    }
    let order = [
      later(0), later(1, kept: 9), later(1, kept: 3), later(1), later(2, kept: .max), later(5_000_000_000),
      later(0, final: true), later(5, final: true, kept: 2), later(.max, final: true),
    ]
    #expect(order == order.sorted())
    #expect(Set(order).count == order.count)
  }
}
