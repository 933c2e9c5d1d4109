import Foundation
import GRDB
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

@Suite struct `When something goes wrong with alerts` {
  @Test func `a rule that cannot be looked at keeps no other from telling, and says so`() async throws {
    try await RunningCollector.with { collector in
      for body in [
        #"{"kind":"request_errors","name":"broken","threshold":5}"#, #"{"kind":"new_issue","name":"sound"}"#,
      ] {
        let made = try await collector.send(
          .POST, "/api/alerts/rules", headers: [("Content-Type", "application/json")], body: ByteBuffer(string: body))
        #expect(made.status == 200, "\(made.text)")
      }
      let index = try DatabaseQueue(path: collector.directory.appending(path: "index.sqlite").path)
      try await index.write { try $0.execute(sql: "ALTER TABLE network_host RENAME TO network_host_gone") }
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "mira")
      batch.add(.event, `What people write down about issues`.failure("The payment failed", at: 1000))
      try await collector.post(raw: batch)
      let log = try await collector.wait(for: "/api/alerts/log") { !$0["log"].array.isEmpty }
      #expect(log["log"].array.allSatisfy { $0["ruleName"].string == "sound" }, "\(log)")
      try await collector.wait(for: "/api/alerts") {
        "\($0)".contains("broken: ") && "\($0)".contains("network_host")
      }
    }
  }

  @Test func `a receiver that asks for a pause is not told of something new before it is over`() async throws {
    let asked = Kept(ContinuousClock.now)
    let receiver = try CannedServer { number in
      guard number == 0 else { return .text("200 OK", "") }
      asked.set(.now)
      return .init("429 Too Many Requests", [("Retry-After", "3")], "")
    }
    defer { receiver.stop() }
    let directory = try TemporaryDirectory()
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    let alerts = Alerts(
      store: store, egress: Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"])), publicURL: nil,
      logger: RunningCollector.quiet, onAlert: nil)
    defer { alerts.stop() }
    let body = #"{"kind":"webhook","name":"hook","url":"http://127.0.0.1:\#(receiver.port)/"}"#
    let channel = try await alerts.store.save(
      channel: try JSONDecoder().decode(JSONTree.self, from: Data(body.utf8)), by: "test", at: WallClock.now
    ).channel.id
    func tell(_ subject: String) async throws {
      try await store.state.write { state in
        let alert = Alert(
          kind: .newIssue, subject: subject, severity: .error, title: subject, text: "It happened.", at: WallClock.now)
        try AlertOutbox.add(alert, to: [channel], held: nil, at: WallClock.now, in: state)
      }
      alerts.sender.wake()
    }
    func until(_ isDone: () -> Bool) async throws {
      let deadline = ContinuousClock.now + .seconds(90)
      while !isDone() {
        try #require(ContinuousClock.now < deadline, "waited in vain; it got \(receiver.requests.count) requests")
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    try await tell("first")
    try await until { receiver.requests.count == 1 }
    try await tell("second")
    try await until { receiver.requests.count >= 2 }
    #expect(asked.value.duration(to: .now) > .seconds(2.5))
    // Both arrive, the new one first or last.
    try await until { receiver.requests.count >= 3 }
    #expect(Set(receiver.requests.dropFirst().compactMap { $0.contains("second") ? "second" : "first" }).count == 2)
  }
}
