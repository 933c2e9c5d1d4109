import AutoMobileState
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import AutoMobileCollector

extension EventStore {
  var alerts: AlertStore {
    AlertStore(state: state) { [pool] kind in try await pool.read { try AlertLook.cursor(of: kind, in: $0) } }
  }
}

/// Two collectors that look at one index for one set of rules, each write run twice.
@Suite struct `Two collectors that tell` {
  private struct Collectors {
    let state: any StateStore
    let one: Alerts
    let other: Alerts
    /// What either of them has told of on its terminal.
    let told: NIOLockedValueBox<[String]>
    var both: [Alerts] { [one, other] }
    var looks: Int64 { both.reduce(0) { $0 + $1.watch.report.looks } }
    var sent: Int64 { both.reduce(0) { $0 + $1.sender.report.sent } }
  }

  /// Over an index with two issues, and a channel that leads to `receiver`.
  private static func with(
    _ receiver: CannedServer, _ body: (Collectors, _ channel: Int64) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1", user: "mira")
      for text in ["The payment failed", "The basket is empty"] {
        batch.add(.event, `What people write down about issues`.failure(text, at: 1000, fingerprint: text))
      }
      try await collector.post(raw: batch)
      try await collector.wait(for: "/api/issues") { $0["issues"].array.count == 2 }
    }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: false, maximumDepth: 64)
    // What waits for symbols is told a minute later, and nobody here looks for them.
    try await store.pool.write { try $0.execute(sql: "DELETE FROM report_image WHERE build = ''") }
    try await SharedState.withEach(store) { state in try await with(receiver, store, state, body) }
    try store.close()
  }

  private static func with(
    _ receiver: CannedServer, _ store: EventStore, _ state: any StateStore,
    _ body: (Collectors, _ channel: Int64) async throws -> Void
  ) async throws {
    receiver.forget()
    let told = NIOLockedValueBox<[String]>([])
    let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
    func alerts() -> Alerts {
      Alerts(store: store, state: state, egress: egress, publicURL: nil, logger: RunningCollector.quiet) { line in
        told.withLockedValue { $0.append(line) }
      }
    }
    let collectors = Collectors(state: state, one: alerts(), other: alerts(), told: told)
    let channel = try await collectors.one.store.save(
      channel: try tree(#"{"kind":"webhook","name":"hook","url":"http://127.0.0.1:\#(receiver.port)/"}"#), by: "ada",
      at: WallClock.now
    ).channel.id
    try await body(collectors, channel)
    for alerts in collectors.both { alerts.stop() }
  }

  private static func tree(_ text: String) throws -> JSONTree {
    try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
  }

  @Test func `look for one rule once, and send each message once`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "") }
    defer { receiver.stop() }
    try await Self.with(receiver) { collectors, channel in
      let rule = try await collectors.other.store.save(
        try Self.tree(#"{"kind":"new_issue","channels":[\#(channel)]}"#), by: "ada", at: WallClock.now)
      // As if it had been there before the issues. Nobody is woken by hand: they hear of it.
      try await collectors.state.write {
        try $0.execute("UPDATE alert_rule SET cursor = 0 WHERE id = ?1", rule)
        try $0.tell(.alerts, "\(rule)")
      }
      func sent() async throws -> [Int] {
        try await collectors.state.read {
          [
            try $0.value("SELECT COUNT(*) FROM alert_log") ?? -1,
            try $0.value("SELECT COUNT(*) FROM alert_message WHERE state = 'sent'") ?? -1,
          ]
        }
      }
      try await eventually("both issues are told of, and sent") { try await sent() == [2, 2] }
      // The first look that ends may have begun before; the second one has not.
      for _ in 0..<2 {
        let before = collectors.looks
        for alerts in collectors.both {
          alerts.watch.wake()
          alerts.sender.wake()
        }
        try await eventually("the rule is looked at again") { collectors.looks > before }
      }
      // A channel gets the oldest first: what would be sent again goes before this one.
      try await collectors.state.write { state in
        let alert = Alert(
          kind: .newIssue, subject: "last", severity: .error, title: "the last one.", text: "It happened.",
          at: WallClock.now)
        try AlertOutbox.add(alert, to: [channel], held: nil, at: WallClock.now, in: state)
      }
      try await eventually("the last one is sent") { collectors.sent >= 3 }
      #expect(try await sent() == [3, 3] && receiver.requests.count == 3)
      #expect(collectors.told.withLockedValue { $0.count } == 2)
      #expect(collectors.sent == 3)
      #expect(collectors.both.filter { $0.watch.report.looks > 0 }.count == 1)
    }
  }

  @Test func `send many messages once each, also when one of them stops meanwhile`() async throws {
    // After some, nobody is answered until one of them was told to stop.
    let mayGoOn = Kept(false)
    let receiver = try CannedServer { number in
      while number >= 5, !mayGoOn.value { usleep(1000) }
      return .text("200 OK", "")
    }
    defer { receiver.stop() }
    try await Self.with(receiver) { collectors, channel in
      mayGoOn.set(false)
      defer { mayGoOn.set(true) }
      let most = 40
      try await collectors.state.write { state in
        for number in 0..<most {
          let alert = Alert(
            kind: .newIssue, subject: "n\(number)", severity: .error, title: "number \(number).", text: "It happened.",
            at: WallClock.now)
          try AlertOutbox.add(alert, to: [channel], held: nil, at: WallClock.now, in: state)
        }
      }
      try await eventually("some are sent") { receiver.requests.count >= 5 }
      let first = collectors.both.first { $0.sender.report.sent > 0 }
      first?.stop()
      mayGoOn.set(true)
      try await eventually("all are sent") {
        try await collectors.state.read {
          try $0.value("SELECT COUNT(*) FROM alert_message WHERE state = 'sent'") ?? 0
        } == most
      }
      #expect(receiver.requests.count == most)
      for number in 0..<most {
        #expect(receiver.requests.count { $0.contains("number \(number).") } == 1)
      }
      #expect(collectors.both.allSatisfy { $0.sender.report.sent > 0 })
    }
  }
}
