import AsyncHTTPClient
import AutoMobileJournal
import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Sudden death` {
  /// Senders post without a pause and repeat what was not acknowledged, as an app does, while the collector is killed
  /// again and again.
  @Test func `a collector that is killed under load loses nothing and doubles nothing`() async throws {
    let directory = try TemporaryDirectory()
    let kills = ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 12 : 300
    let address = Address()
    let senders = (0..<4).map { _ in Sender(address: address) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in senders { group.addTask { try await sender.run() } }
      for _ in 0..<kills {
        let process = try await CollectorProcess(directory: directory.url)
        await address.set(process.port)
        let before = await Sender.acknowledged(by: senders)
        // Not before it has done something; then at any moment.
        let deadline = ContinuousClock.now + .seconds(60)
        while await Sender.acknowledged(by: senders) < before + 3 {
          try #require(ContinuousClock.now < deadline, "the collector takes nothing after it was killed")
          try await Task.sleep(for: .milliseconds(2))
        }
        try await Task.sleep(for: .microseconds(.random(in: 0..<150_000)))
        await process.kill()
      }
      let last = try await CollectorProcess(directory: directory.url)
      await address.set(last.port)
      for sender in senders { await sender.finish() }
      try await group.waitForAll()
      // An orderly end: what was acknowledged is indexed, and the log is empty.
      #expect(await last.terminate() == 0)
    }

    let database = try DatabaseQueue(path: directory.url.appending(path: "index.sqlite").path)
    try await database.read { database in
      for sender in senders {
        let expected = sender.sent
        let sequences = try Int64.fetchAll(
          database,
          sql: """
            SELECT sequence FROM event JOIN launch ON launch.id = event.launch WHERE launchId = ? ORDER BY sequence
            """, arguments: [sender.launch.description])
        #expect(sequences == expected.sorted())
        let launch = try Row.fetchOne(
          database, sql: "SELECT stored, quarantined FROM launch WHERE launchId = ?",
          arguments: [sender.launch.description])
        #expect(launch?["stored"] == expected.count)
        #expect(launch?["quarantined"] == 0)
        let session = try Row.fetchOne(
          database, sql: "SELECT events FROM session WHERE sessionId = ?", arguments: ["s-\(sender.launch)"])
        #expect(session?["events"] == expected.count)
      }
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
    }
    let rest = try FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: "ingest").path)
    #expect(rest.isEmpty)
  }

  /// Where the collector is at the moment.
  private actor Address {
    private(set) var port = 0
    func set(_ port: Int) { self.port = port }
  }

  /// One app: a launch with records that go out in batches, each until it is acknowledged.
  private final class Sender: @unchecked Sendable {
    // Unchecked because `sent` is read when `run` has returned only, and the rest belongs to `state`.
    let launch = LaunchID()
    private let address: Address
    private let state = State()
    private(set) var sent: [Int64] = []

    init(address: Address) { self.address = address }

    func finish() async { await state.finish() }

    static func acknowledged(by senders: [Sender]) async -> Int {
      var sum = 0
      for sender in senders { sum += await sender.state.batches }
      return sum
    }

    func run() async throws {
      var position: UInt64 = 0
      while await !state.isFinished {
        var batch = RawBatch(launch: launch, from: position)
        batch.addContext(1, session: "s-\(launch)")
        for index in 0..<Int.random(in: 1...60) {
          let sequence = batch.position
          batch.addLog("message \(index) of a batch at \(position)")
          sent.append(Int64(sequence))
        }
        position = batch.position
        let body = try batch.body()
        while await !post(body) { try await Task.sleep(for: .milliseconds(3)) }
        await state.acknowledged()
      }
    }

    /// True when it was acknowledged. Anything else leaves open whether it was taken.
    private func post(_ body: ByteBuffer) async -> Bool {
      let port = await address.port
      guard port != 0 else { return false }
      var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/sdk-events")
      request.method = .POST
      request.headers.add(name: "Content-Type", value: BatchHeader.mediaType)
      request.body = .bytes(body)
      let response = try? await RunningCollector.client.execute(request, timeout: .seconds(20))
      guard let response, response.status == .ok else { return false }
      _ = try? await response.body.collect(upTo: 1 << 16)
      return true
    }

    private actor State {
      private(set) var isFinished = false
      private(set) var batches = 0
      func finish() { isFinished = true }
      func acknowledged() { batches += 1 }
    }
  }
}
