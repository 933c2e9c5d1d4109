import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

@Suite struct `Coming and going` {
  @Test func `an orderly stop finishes what it has begun and leaves an empty log`() async throws {
    let directory = try TemporaryDirectory()
    let acknowledged = Tally()
    try await RunningCollector.with(directory: directory.url) { collector in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var batch = RawBatch()
            for _ in 0..<100 { batch.addLog("x", context: nil) }
            while let answer = try? await collector.post(raw: batch), answer.status == 200 {
              await acknowledged.add(100)
              batch = batch.following()
            }
          }
        }
        while await acknowledged.sum < 2000 { await Task.yield() }
        collector.collector.stop()
      }
    }
    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    let stored = try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM event") ?? 0 }
    // An answer that was on its way when the connection ended was taken, too.
    #expect(await stored >= acknowledged.sum)
    #expect(stored % 100 == 0)
    let log = try FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: "ingest").path)
    #expect(log.isEmpty)
  }

  @Test func `while the index cannot be written, deliveries are taken up to a limit, then told to come back`()
    async throws
  {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { options in
      options.limits.backlogBytes = 1 << 20
    } _: { collector in
      var batch = RawBatch()
      for _ in 0..<200 { batch.addLog(String(repeating: "y", count: 500), context: nil) }
      var taken = 0
      try await collector.whileIndexIsLocked {
        var answer = try await collector.post(raw: batch)
        while answer.status == 200 {
          taken += 200
          try #require(taken < 20_000, "nothing stops the sender")
          batch = batch.following()
          answer = try await collector.post(raw: batch)
        }
        #expect(answer.status == 429)
        #expect(answer.errorCode == "busy")
        #expect(answer.headers["Retry-After"] == ["5"])
        #expect(taken > 200)
        let health = try await collector.wait(for: "/health") { $0["status"].string == "degraded" }
        #expect(health["index"].string?.contains("locked") == true)
      }
      // What was taken is there as soon as it can be, and then there is room again.
      let row = try await collector.waitForLaunch(batch.launch, stored: taken)
      #expect(row["stored"].int == taken)
      try await collector.wait(for: "/health") { $0["status"].string == "ok" }
      #expect(try await collector.post(raw: batch).status == 200)
    }
  }

  @Test func `what was taken and not indexed is indexed after a restart`() async throws {
    let directory = try TemporaryDirectory()
    var batch = RawBatch()
    batch.addContext(1, session: "s-r")
    for index in 0..<50 { batch.addLog("\(index)") }
    let delivery = batch
    let held = Held()
    try await RunningCollector.with(directory: directory.url) { collector in
      var first = RawBatch()
      first.addLog("indexed before")
      try await collector.post(raw: first)
      try await collector.waitForLaunch(first.launch, stored: 1)
      await held.hold(try IndexLock(collector.directory))
      #expect(try await collector.post(raw: delivery).status == 200)
    }
    // It has ended, though the index could not be written to the last.
    try await held.release()
    let log = try FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: "ingest").path)
    #expect(log.contains { $0.hasSuffix(".log") })
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.waitForLaunch(delivery.launch, stored: 50)
      #expect(try await collector.json("/api/sessions/s-r")["events"].int == 50)
      // The contexts of an earlier run are known.
      var next = RawBatch(launch: delivery.launch, from: delivery.position)
      next.addLog("after the restart")
      try await collector.post(raw: next)
      try await collector.waitForLaunch(delivery.launch, stored: 51)
      #expect(try await collector.json("/api/sessions/s-r")["events"].int == 51)
    }
  }

  @Test func `a torn or damaged piece of the log costs what it touches and nothing else`() async throws {
    let directory = try TemporaryDirectory()
    let log = directory.url.appending(path: "ingest")
    try FileManager.default.createDirectory(at: log, withIntermediateDirectories: true)
    var file = Data()
    var launches: [LaunchID] = []
    for index in 0..<5 {
      var batch = RawBatch()
      batch.addLog("frame \(index)", context: nil)
      launches.append(batch.launch)
      let body = try batch.bytes()
      let head = body.withUnsafeBytes {
        LogFrame.Head(receivedAt: 5, events: 1, owner: .app(nil), body: $0, isNumbered: false)
      }
      let start = file.count
      file.append(contentsOf: head.bytes + body)
      file.append(contentsOf: [UInt8](repeating: 0, count: (8 - file.count % 8) % 8))
      if index == 1 { file[start + 60] ^= 0xFF }
      if index == 2 { file[start] ^= 0xFF }
    }
    file.removeLast(9)
    try file.write(to: log.appending(path: "00000000000000000007.log"))
    let kept = [launches[0], launches[3]]
    try await RunningCollector.with(directory: directory.url) { collector in
      for launch in kept { try await collector.waitForLaunch(launch, stored: 1) }
      #expect(try await collector.json("/api/launches")["launches"].array.count == 2)
      // And the log goes on behind it.
      var batch = RawBatch()
      batch.addLog("after")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
    }
  }

  @Test func `the log's files are left behind and removed as the index advances`() async throws {
    try await RunningCollector.with { options in
      options.logSegmentBytes = 20_000
    } _: { collector in
      let log = collector.directory.appending(path: "ingest").path
      var batch = RawBatch()
      for _ in 0..<20 { batch.addLog("filling", context: nil) }
      for _ in 0..<60 {
        try await collector.post(raw: batch)
        batch = batch.following()
      }
      try await collector.waitForLaunch(batch.launch, stored: 1200)
      let last = try FileManager.default.contentsOfDirectory(atPath: log).compactMap { UInt64($0.prefix(20)) }.max()
      #expect(last ?? 0 > 5)
      let deadline = ContinuousClock.now + .seconds(60)
      while try FileManager.default.contentsOfDirectory(atPath: log).count > 2 {
        try #require(ContinuousClock.now < deadline, "the log grows")
        // The last file is left when the next delivery comes.
        try await collector.post(raw: batch)
        batch = batch.following()
      }
    }
  }

  @Test func `full text search can be switched on later`() async throws {
    let directory = try TemporaryDirectory()
    var batch = RawBatch()
    batch.addLog("needle in the hay", context: nil)
    let delivery = batch
    for (fullText, query) in [(false, "needle"), (true, "need hay"), (false, "needle in"), (true, "needle")] {
      try await RunningCollector.with(directory: directory.url) { options in
        options.fullTextSearch = fullText
      } _: { collector in
        try await collector.post(raw: delivery)
        try await collector.waitForLaunch(delivery.launch, stored: 1)
        let text = query.replacingOccurrences(of: " ", with: "%20")
        #expect(try await collector.json("/api/events?q=\(text)")["events"].array.count == 1)
      }
    }
  }

  @Test func `when the disk takes no more, deliveries are refused and nothing that was taken is lost`() async throws {
    let directory = try TemporaryDirectory()
    // Files that may not grow stand for a full disk: the same failing writes, without privileges. An empty index fits.
    let confined = try await CollectorProcess(directory: directory.url, fileSizeLimit: 2000)
    var batch = RawBatch()
    for _ in 0..<100 { batch.addLog(String(repeating: "z", count: 300), context: nil) }
    var taken: [RawBatch] = []
    var refused = 0
    while refused < 3, taken.count < 200 {
      let answer = try await confined.post(batch)
      if answer == 200 { taken.append(batch) } else { refused += 1 }
      if answer != 200 { #expect(answer == 503) }
      batch = batch.following()
    }
    #expect(refused == 3)
    await confined.kill()
    let (last, launch) = (taken.count * 100, batch.launch)
    try await RunningCollector.with(directory: directory.url) { collector in
      try await collector.waitForLaunch(launch, stored: last)
      #expect(try await collector.json("/api/launches")["launches"][0]["stored"].int == last)
    }
  }
}

private actor Held {
  private var lock: IndexLock?
  func hold(_ lock: IndexLock) { self.lock = lock }
  func release() throws { try lock?.release() }
}

private actor Tally {
  private(set) var sum = 0
  func add(_ count: Int) { sum += count }
}

/// Holds the index's write lock, as somebody with a database shell could.
final class IndexLock: Sendable {
  private let database: DatabaseQueue

  init(_ directory: URL) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(10)
    database = try DatabaseQueue(path: directory.appending(path: "index.sqlite").path, configuration: configuration)
    try database.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws {
    try database.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try database.close()
  }
}

extension RunningCollector {
  func whileIndexIsLocked(_ body: () async throws -> Void) async throws {
    let lock = try IndexLock(directory)
    do {
      try await body()
    } catch {
      try lock.release()
      throw error
    }
    try lock.release()
  }
}
