import AutoMobileJournal
import Foundation
import GRDB
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Backups beside a collector that runs` {
  static func batch(_ name: String, events: Int = 3) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: name, user: "mira")
    for index in 0..<events { batch.addLog("\(name) \(index)") }
    return batch
  }

  /// How many events of each launch a collector has that runs on a restored directory, once it has indexed what it found there.
  private static func stored(_ data: URL, _ launches: [LaunchID]) async throws -> [Int] {
    try await RunningCollector.with(directory: data) { collector in
      let deadline = ContinuousClock.now + .seconds(60)
      while try await !collector.get("/metrics").text.contains("automobile_backlog_bytes 0\n") {
        try #require(ContinuousClock.now < deadline, "the log is not indexed")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let index = try DatabaseQueue(path: data.appending(path: "index.sqlite").path)
    return try await index.read { database in
      try launches.map {
        try Int.fetchOne(
          database, sql: "SELECT stored FROM launch WHERE launchId = ?", arguments: [$0.description]) ?? 0
      }
    }
  }

  @Test func `everything that was acknowledged before a backup began is in it, whatever comes meanwhile`() async throws
  {
    let places = try TemporaryDirectory()
    let backups = places.url.appending(path: "backups")
    let acknowledged = NIOLockedValueBox<[LaunchID]>([])
    let expected = NIOLockedValueBox<[(backup: URL, launches: [LaunchID])]>([])
    try await RunningCollector.with(directory: places.url.appending(path: "data")) {
      // Small segments, so that the log loses some while it is copied.
      $0.logSegmentBytes = 64 << 10
    } _: { collector in
      let deliveries = Task {
        while !Task.isCancelled {
          let batch = Self.batch("s-\(UUID().uuidString)", events: 60)
          guard try await collector.post(raw: batch).status == 200 else { continue }
          acknowledged.withLockedValue { $0.append(batch.launch) }
        }
      }
      for round in 0..<4 {
        try await Task.sleep(for: .milliseconds(300))
        let known = expected.withLockedValue { $0.last?.launches.count ?? 0 }
        try await eventually("something came since") { acknowledged.withLockedValue { $0.count } > known }
        let before = acknowledged.withLockedValue { $0 }
        let made = try Backup.make(
          of: collector.directory, in: backups, now: Date(timeIntervalSince1970: 1_790_000_000 + Double(round)))
        #expect(made.manifest.events > 0 && FileManager.default.fileExists(atPath: made.directory.path))
        expected.withLockedValue { $0.append((made.directory, before)) }
      }
      deliveries.cancel()
      _ = await deliveries.result
    }
    let stage = places.url.appending(path: "data/\(BackupStage.name)")
    #expect(!FileManager.default.fileExists(atPath: stage.path))
    for (number, (backup, launches)) in expected.withLockedValue({ $0 }).enumerated() {
      try Backup.check(backup)
      let data = places.url.appending(path: "restored-\(number)")
      try Backup.restore(backup, to: data)
      let stored = try await Self.stored(data, launches)
      #expect(!stored.isEmpty && stored.allSatisfy { $0 == 60 }, "\(stored.count { $0 != 60 }) of \(stored.count)")
    }
  }

  @Test func `what did not change is shared with the backup before, and each is whole without the others`() async throws
  {
    let places = try TemporaryDirectory()
    let (data, backups) = (places.url.appending(path: "data"), places.url.appending(path: "backups"))
    let batch = Self.batch("first")
    try await RunningCollector.with(directory: data) { collector in
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 3)
    }
    let pack = data.appending(path: "replays/1.pack")
    try FileManager.default.createDirectory(at: pack.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 7, count: 3 << 20).write(to: pack)
    let times = (0..<4).map { Date(timeIntervalSince1970: 1_790_000_000 + Double($0)) }
    let first = try Backup.make(of: data, in: backups, now: times[0])
    let second = try Backup.make(of: data, in: backups, now: times[1])
    #expect(first.copied > 3 << 20 && second.copied <= first.copied - 3 << 20)
    #expect(second.manifest.files.map(\.path) == first.manifest.files.map(\.path))
    // A pack that grew is copied again, and the older backup keeps what it had.
    let file = try FileHandle(forWritingTo: pack)
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 8, count: 10))
    try file.close()
    let third = try Backup.make(of: data, in: backups, keep: 2, now: times[2])
    #expect(third.copied > 3 << 20)
    #expect(try Backup.all(in: backups).map(\.lastPathComponent) == [second, third].map(\.directory.lastPathComponent))
    try Backup.check(second.directory)
    #expect(try Backup.check(backups).directory.path == third.directory.path)
    let restored = places.url.appending(path: "restored")
    try Backup.restore(second.directory, to: restored)
    #expect(try Data(contentsOf: restored.appending(path: "replays/1.pack")).count == 3 << 20)
    #expect(try await Self.stored(restored, [batch.launch]) == [3])
    let permissions =
      try FileManager.default.attributesOfItem(
        atPath: third.directory.appending(path: "index.sqlite").path)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
  }
}
