import AutoMobileState
import Foundation
import Logging
import Testing

@testable import AutoMobileCollector

extension EventStore {
  var forwarders: ForwarderStore {
    ForwarderStore(state: state) { [pool] in try await pool.read { try ForwardReader.newest(in: $0) } }
  }
}

/// Two collectors that forward what is in one index, each write run twice.
@Suite struct `Two collectors that forward` {
  private static func with(
    _ receiver: CannedServer, _ body: (any StateStore, EventStore, () throws -> Forwarding) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch(bundleId: "dev.example.shop")
      batch.addContext(1, session: "one", user: "ada")
      for index in 0..<5 { batch.addLog("one \(index)", level: 2) }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 5)
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    var pause = ForwardPause(blocked: 60)
    pause.elsewhere = 0.05
    let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
    try await SharedState.withEach(store) { state in
      receiver.forget()
      try await body(state, store) { [pause] in
        Forwarding(
          store: store, state: state, egress: egress, metrics: CollectorMetrics(), logger: Logger(label: "test"),
          pause: pause)
      }
    }
    try store.close()
  }

  private static func body(_ receiver: CannedServer, _ more: String = "") throws -> JSONTree {
    let text = #"{"url":"http://127.0.0.1:\#(receiver.port)","types":["log"],"gzip":false\#(more)}"#
    return try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
  }

  private static func entry(_ id: Int64, _ state: any StateStore) async throws -> ForwardLedger.Entry? {
    try await state.read { try ForwardLedger.entries(in: $0) }[.init(forwarder: id, signal: .logs)]
  }

  @Test func `send each record once, and one goes on where the other one ended`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "") }
    defer { receiver.stop() }
    try await Self.with(receiver) { state, _, make in
      let (one, other) = (try make(), try make())
      defer {
        one.stop(within: 1)
        other.stop(within: 1)
      }
      // Both hear of it by what is told: neither is asked to look.
      let id = try await one.store.save(
        try Self.body(receiver, #","fromBeginning":true"#), by: "ada", at: WallClock.now)
      let lane = ForwardLaneName(forwarder: id, signal: .logs)
      try await eventually("it was sent and noted down") { try await Self.entry(id, state)?.sent == 5 }
      try await eventually("one has it, the other one waits") {
        let activities = [one, other].map { $0.statuses[lane]?.activity }
        return activities.contains(.upToDate) && activities.contains(.elsewhere)
      }
      #expect(receiver.requests.count == 1)
      let (sender, waiting) = one.statuses[lane]?.activity == .elsewhere ? (other, one) : (one, other)
      // As another collector's lane with what it sent and has not noted: it has lost the lane, and its note comes late.
      try await ForwardLedger(state: state, lane: lane).settle(upTo: 5, sent: 5, at: 1)
      #expect(try await Self.entry(id, state)?.sent == 5)
      sender.stop(within: 5)
      try await eventually("the other one has it") { waiting.statuses[lane]?.activity == .upToDate }
      #expect(waiting.statuses[lane]?.position == (try await Self.entry(id, state)?.cursor))
      #expect(receiver.requests.count == 1)
      try await one.store.remove(id)
      try await eventually("it is gone for who is left") { waiting.statuses.isEmpty }
    }
  }

  @Test func `try again what is blocked when it is set anew, wherever that is`() async throws {
    let receiver = try CannedServer { $0 < 1 ? .text("404 Not Found", "deploying") : .text("200 OK", "") }
    defer { receiver.stop() }
    try await Self.with(receiver) { state, _, make in
      let both = [try make(), try make()]
      defer { for forwarding in both { forwarding.stop(within: 1) } }
      let id = try await both[0].store.save(
        try Self.body(receiver, #","fromBeginning":true"#), by: "ada", at: WallClock.now)
      let lane = ForwardLaneName(forwarder: id, signal: .logs)
      func isBlocked(_ forwarding: Forwarding) -> Bool {
        if case .blocked? = forwarding.statuses[lane]?.activity { true } else { false }
      }
      try await eventually("it is blocked") { both.contains(where: isBlocked) }
      // Nothing is different but that somebody has set it, at the other one.
      let other = try #require(both.first { !isBlocked($0) })
      _ = try await other.store.save(try Self.body(receiver), change: id, by: "bob", at: WallClock.now + 1)
      try await eventually("it was sent") { try await Self.entry(id, state)?.sent == 5 }
      #expect(receiver.requests.count == 2)
    }
  }
}
