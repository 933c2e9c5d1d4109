import AutoMobileClickHouse
import AutoMobileState
import ClickHouseTestServer
import Foundation
import Logging
import Testing

@testable import AutoMobileCollector

/// Two collectors that forward what both of them took in, out of ClickHouse.
@Suite(.enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .timeLimit(.minutes(10)))
struct `Collectors that forward what is in ClickHouse` {
  private static func logs(_ session: String, _ count: Int) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: session, user: "ada")
    for index in 0..<count { batch.addLog("\(session) \(index).", level: 2) }
    return batch
  }

  private static func sent(_ receiver: CannedServer) -> [String] {
    receiver.requests.flatMap { request in
      request.matches(of: /"stringValue":\s*"((?:early|late|last) \d+\.)"/).map { String($0.1) }
    }
  }

  private static func wanted(_ sessions: [(String, Int)]) -> [String] {
    sessions.flatMap { name, count in (0..<count).map { "\(name) \($0)." } }.sorted()
  }

  @Test func `Send each record once, whoever took it in and however late it comes`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "{}") }
    defer { receiver.stop() }
    let (directory, first, second) = (try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory())
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    try await ClickHousePair.shared.with { cluster in
      let order = ArrivalOrder(store.state)
      let limits = CollectorLimits()
      let reading = ClickHouseForwards(
        telemetry: ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits), order: order)
      var pause = ForwardPause(blocked: 60)
      pause.elsewhere = 0.05
      let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
      let collectors = (0..<2).map { [pause] _ in
        Forwarding(
          store: store, reading: reading, egress: egress, metrics: CollectorMetrics(), logger: RunningCollector.quiet,
          pause: pause)
      }
      order.follow { for collector in collectors { collector.wake() } }
      defer { for collector in collectors { collector.stop(within: 1) } }

      // The second one acknowledges, and dies with it.
      let late = try IngestLog(
        directory: LogDirectory(path: second.url.path), indexed: LogPosition(segment: 0, offset: 0),
        segmentSize: 1 << 20, writer: 2, metrics: CollectorMetrics(), logger: RunningCollector.quiet)
      try await late.append(
        receivedAt: WallClock.now, owner: FollowedLog.owner,
        batch: CheckedBatch(raw: try Self.logs("late", 30).body()))
      late.close()

      let publisher = ArrivalPublisher(store.state, writer: 1, logger: RunningCollector.quiet)
      publisher.start()
      let log = try FollowedLog(first.url, cluster, writer: 1, onConfirmed: { publisher.confirmed(upTo: $0) })
      try await log.append(Self.logs("early", 20), receivedAt: WallClock.now)
      let body =
        #"{"url":"http://127.0.0.1:\#(receiver.port)","types":["log"],"gzip":false,"format":"json","fromBeginning":true}"#
      let id = try await collectors[0].store.save(
        try JSONDecoder().decode(JSONTree.self, from: Data(body.utf8)), by: "ada", at: WallClock.now)
      let lane = ForwardLaneName(forwarder: id, signal: .logs)
      try await eventually("what is there is sent") { Self.sent(receiver).count >= 20 }
      try await eventually("one has the lane") {
        let activities = collectors.map { $0.statuses[lane]?.activity }
        return activities.contains(.upToDate) && activities.contains(.elsewhere)
      }
      // The one that has the lane ends, and the other log comes back.
      let (sender, heir) =
        collectors[0].statuses[lane]?.activity == .elsewhere
        ? (collectors[1], collectors[0]) : (collectors[0], collectors[1])
      sender.stop(within: 60)
      let returned = ArrivalPublisher(store.state, writer: 2, logger: RunningCollector.quiet)
      returned.start()
      let back = try FollowedLog(second.url, cluster, writer: 2, onConfirmed: { returned.confirmed(upTo: $0) })
      try await eventually("what was late is sent") { Self.sent(receiver).count >= 50 }
      try await log.append(Self.logs("last", 5), receivedAt: WallClock.now)
      try await eventually("what came last is sent") { Self.sent(receiver).count >= 55 }
      try await eventually("it is noted down") {
        let entry = try await store.state.read { try ForwardLedger.entries(in: $0) }[lane]
        return entry?.sent == 55
      }
      #expect(Self.sent(receiver).sorted() == Self.wanted([("early", 20), ("last", 5), ("late", 30)]))
      #expect(heir.statuses[lane]?.activity != .elsewhere)
      for log in [log, back] { log.close() }
      for publisher in [publisher, returned] { publisher.stop() }
      order.stop()
    }
    try store.close()
  }
}
