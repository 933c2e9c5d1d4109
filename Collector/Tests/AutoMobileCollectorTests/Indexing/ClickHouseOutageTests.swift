import AutoMobileClickHouse
import AutoMobileJournal
import ClickHouseTestServer
import Foundation
import Logging
import Testing

@testable import AutoMobileCollector

/// Servers that are killed, processes that end and files that are torn: nothing is lost, and nothing is read twice.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Outages on the way into ClickHouse` {
  private static func positions(_ cluster: ClickHouseCluster) async throws -> [String] {
    try await cluster.texts(TelemetryTables.events, ["launch", "position"]).sorted()
  }

  private static func wanted(_ batches: [RawBatch]) throws -> [String] {
    try batches.flatMap { batch in
      let codec = RecordCodec(launch: batch.launch)
      return try batch.bytes().withUnsafeBytes { bytes in
        var (_, offset) = try BatchHeader.split(bytes)
        var names: [String] = []
        while offset < bytes.count, case .record(let kind, let position, _, let next) = codec.parse(bytes, at: offset) {
          if kind != .context { names.append("\(batch.launch) \(position)") }
          offset = next
        }
        return names
      }
    }.sorted()
  }

  @Test func `A shard is killed and comes back: its rows wait, the log grows, and all of it is there once`()
    async throws
  {
    let pair = try await ClickHousePair()
    try await pair.with { cluster in
      let directory = try TemporaryDirectory()
      let follower = try FollowedLog(directory.url, cluster, segmentSize: 8000) { $0.mostEvents = 40 }
      let batches = `The way into ClickHouse`.many(60)
      for batch in batches.prefix(10) { try await follower.append(batch) }
      try await follower.drain()
      let small = follower.log.backlog
      pair.servers[1].kill()
      for batch in batches.dropFirst(10).prefix(40) { try await follower.append(batch) }
      try await eventually("it says what is wrong") { follower.indexer.problem?.contains("shard 2") == true }
      // What waits is counted, which is what a full log is told by.
      #expect(follower.log.backlog > small)
      #expect(follower.indexer.backlog.batches > 0)
      #expect(follower.indexer.backlog.rows > 0)
      // Another process goes on meanwhile.
      follower.close(within: 0)
      let next = try FollowedLog(directory.url, cluster, segmentSize: 8000) { $0.mostEvents = 40 }
      for batch in batches.dropFirst(50) { try await next.append(batch) }
      #expect(next.log.backlog > small)
      try await pair.servers[1].start()
      try await next.drain()
      try await eventually("nothing is wrong any more") { next.indexer.problem == nil }
      #expect(try await Self.positions(cluster) == Self.wanted(batches))
      next.close()
      // All files of the log are behind.
      #expect(try LogDirectory(path: directory.url.path).segments().isEmpty)
    }
  }

  /// A directory in the place of a file of the log: it can be opened, and whoever reads it gets an error, also as root.
  @Test func `A log that cannot be read is no empty one: it stays, and a later process sends it`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let log = try LogDirectory(path: directory.url.path)
      let batches = `The way into ClickHouse`.many(12)
      try await Self.write(batches, to: log)
      let files = try log.segments()
      #expect(files.count > 2)
      let (damaged, kept) = (log.file(files[0].number), directory.url.path + "/kept")
      try FileManager.default.moveItem(atPath: damaged, toPath: kept)
      try FileManager.default.createDirectory(atPath: damaged, withIntermediateDirectories: false)
      for number in 0..<64 { try Data().write(to: URL(filePath: "\(damaged)/\(number)")) }
      let follower = try FollowedLog(directory.url, cluster)
      try await eventually("it says what is wrong") { follower.indexer.problem != nil }
      // In order, with all the time in the world: what cannot be read does not hold up the stop.
      follower.close(within: .infinity)
      #expect(try log.segments().map(\.number) == files.map(\.number))
      try FileManager.default.removeItem(atPath: damaged)
      try FileManager.default.moveItem(atPath: kept, toPath: damaged)
      let next = try FollowedLog(directory.url, cluster)
      try await next.drain()
      next.close()
      #expect(try await Self.positions(cluster) == Self.wanted(batches))
      #expect(try log.segments().isEmpty)
    }
  }

  @Test func `A delivery that waited for a context and cannot be read any more keeps no file of the log`() async throws
  {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let log = try LogDirectory(path: directory.url.path)
      let follower = try FollowedLog(directory.url, cluster) { $0.contextPatience = 600 }
      var named = RawBatch()
      named.addLog("of a context that nobody has told", context: 99)
      try await follower.append(named, receivedAt: WallClock.now)
      try await eventually("it waits") { follower.indexer.backlog.deliveries == 1 }
      follower.close()
      let place = try #require(try BatchJournal(directory: log).waiting.first)
      let file = try FileHandle(forUpdating: URL(filePath: log.file(place.segment)))
      try file.seek(toOffset: UInt64(place.offset))
      try file.write(contentsOf: Data(count: 64))
      try file.close()
      let next = try FollowedLog(directory.url, cluster) { $0.contextPatience = 600 }
      let batches = `The way into ClickHouse`.many(3)
      for batch in batches { try await next.append(batch) }
      try await next.drain()
      next.close()
      #expect(try BatchJournal(directory: log).waiting.isEmpty)
      #expect(try log.segments().isEmpty)
      #expect(try await Self.positions(cluster) == Self.wanted(batches))
    }
  }

  /// As a process leaves it that ended before anything was sent.
  private static func write(_ batches: [RawBatch], to directory: LogDirectory) async throws {
    let log = try IngestLog(
      directory: directory, indexed: LogPosition(segment: 0, offset: 0), segmentSize: 8000, writer: 0,
      metrics: CollectorMetrics(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    for batch in batches {
      try await log.append(
        receivedAt: 1_700_000_100_000, owner: FollowedLog.owner, batch: CheckedBatch(raw: try batch.body()))
    }
    log.close()
  }

  @Test func `A process that ends anywhere sends the same batches again, byte for byte`() async throws {
    try await ClickHousePair.shared.with { cluster in
      let directory = try TemporaryDirectory()
      let log = try LogDirectory(path: directory.url.path)
      let batches = `The way into ClickHouse`.many(12)
      let follower = try FollowedLog(directory.url, cluster)
      for batch in batches { try await follower.append(batch) }
      try await follower.drain()
      let file = directory.url.appending(path: "clickhouse")
      // Whatever of it was written when the process ended.
      let whole = try Data(contentsOf: file)
      for length in stride(from: 0, through: whole.count, by: 37) {
        try whole.prefix(length).write(to: file)
        let journal = try BatchJournal(directory: log)
        #expect(journal.position <= follower.log.end)
      }
      try whole.write(to: file)
      follower.close(within: 0)
      for length in [0, whole.count / 3, whole.count / 2, whole.count - 1] {
        try whole.prefix(length).write(to: file)
        let again = try FollowedLog(directory.url, cluster)
        try await again.drain()
        again.close()
        #expect(try await Self.positions(cluster) == Self.wanted(batches))
      }
    }
  }

  @Test func `A batch that was under way is made again with the same borders and the same answers`() throws {
    let directory = try TemporaryDirectory()
    let log = try LogDirectory(path: directory.url.path)
    var journal = try BatchJournal(directory: log)
    let answer = ContextAnswer(context: KnownContext(number: 7, session: "s-7", bundle: nil, version: "2"))
    var batch = RawBatch()
    batch.addLog("named", context: 7)
    let question = ContextQuestion.numbered(
      project: FollowedLog.owner.name, launch: batch.launch.description, number: 7)
    let first = try TelemetryRowsSample.rows([batch], given: [question: answer])
    _ = try journal.begin(to: LogPosition(segment: 1, offset: 100), answers: first.used)
    // Another process, which has never seen the context.
    let again = try #require(try BatchJournal(directory: log).open.first)
    let given = Dictionary(again.answers.map { ($0.question, $0.answer) }, uniquingKeysWith: { $1 })
    let second = try TelemetryRowsSample.rows([batch], given: given)
    #expect(second.missing.isEmpty)
    #expect(
      second.all.flatMap { $0.parts.map(\.bytes) } == first.all.flatMap { $0.parts.map(\.bytes) })
  }
}

private typealias TelemetryRowsSample = `Rows of records`
