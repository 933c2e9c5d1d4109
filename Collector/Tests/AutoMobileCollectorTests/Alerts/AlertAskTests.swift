import AutoMobileState
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Alerts about what is asked for` {
  private static func add(_ body: String, to collector: RunningCollector) async throws -> Int {
    let made = try await collector.post("/api/alerts/rules", body)
    try #require(made.status == 200, "\(made.text)")
    return try #require(try made.json()["id"].int)
  }

  /// The log, the newest first, once so many are in it.
  private static func log(_ count: Int, of collector: RunningCollector) async throws -> [JSONValue] {
    try await collector.wait(for: "/api/alerts/log") { answer in
      collector.collector.alerts.watch.wake()
      return answer["log"].array.count >= count
    }["log"].array
  }

  /// An ask for a session, of which the first has come.
  private static func come(_ session: String, user: String, _ collector: RunningCollector) async throws -> Int {
    var batch = try await collector.know(session, device: "d-\(session)", user: user)
    let ask = try await collector.asked(#"{"session":"\#(session)","reason":"Ticket <88>"}"#)
    _ = try await collector.tell("device=d-\(session)")
    _ = try await collector.wait(for: "/api/asks/\(ask)") { $0["state"].string == "on_its_way" }
    batch.addLog("kept")
    try await collector.post(raw: batch)
    _ = try await collector.wait(for: "/api/asks/\(ask)") { $0["state"].string == "came" }
    return ask
  }

  @Test func `that it came and that it is gone is told once each, with who asked, why and where it is`() async throws {
    try await RunningCollector.with { collector in
      // What was before a rule is not its business.
      _ = try await Self.come("s-0", user: "eve", collector)
      let both = try await Self.add(#"{"kind":"ask","name":"both"}"#, to: collector)
      let gone = try await Self.add(
        #"{"kind":"ask","name":"gone","states":["gone"],"bundleId":"dev.example.shop"}"#, to: collector)
      _ = try await Self.add(#"{"kind":"ask","name":"other","bundleId":"dev.example.other"}"#, to: collector)
      let ask = try await Self.come("s-1", user: "eve", collector)
      let came = try #require(try await Self.log(1, of: collector).first)
      #expect(came["rule"].int == both && came["kind"].string == "ask" && came["severity"].string == "info")
      #expect(came["title"].string == "Came: what was asked for of session s-1")
      let text = came["text"].string ?? ""
      #expect(
        text.hasPrefix("Somebody on this machine asked for it: “Ticket <88>”. The first of it came at "), "\(text)")
      #expect(came["place"].string == "#/sessions/s-1")
      #expect(try await collector.send(.DELETE, "/api/asks/\(ask)").status == 200)
      let log = try await Self.log(3, of: collector)
      #expect(Set(log.prefix(2).map { $0["rule"].int }) == [both, gone])
      #expect(log.prefix(2).allSatisfy { $0["title"].string == "Gone: what was asked for of session s-1" })
      #expect(log[0]["text"].string?.hasSuffix("”. Somebody on this machine withdrew it.") == true, "\(log[0])")
      for _ in 0..<3 { collector.collector.alerts.watch.look() }
      #expect(try await collector.json("/api/alerts/log")["log"].array.count == 3)
    }
  }

  @Test func `what is told of somebody goes from the log when they are erased, and when the ask goes`() async throws {
    try await RunningCollector.with { collector in
      _ = try await Self.add(#"{"kind":"ask"}"#, to: collector)
      for (session, user) in [("s-1", "eve"), ("s-2", "adam"), ("s-3", "lilith")] {
        _ = try await Self.come(session, user: user, collector)
      }
      let users = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#)
      _ = try await collector.send(.DELETE, "/api/asks/\(users)")
      let told = try await Self.log(4, of: collector)
      #expect("\(told)".contains("eve") && "\(told)".contains("s-1"))
      let erasure = try await collector.erase(#"{"user":"eve"}"#)
      let left = try await collector.json("/api/alerts/log")["log"].array
      #expect(left.map { $0["title"].string } == ["s-3", "s-2"].map { "Came: what was asked for of session \($0)" })
      #expect("\(erasure)".contains("alert_log"), "\(erasure)")
      let state = collector.collector.state
      _ = try await state.write { try $0.execute("DELETE FROM ask WHERE session = 's-2'") }
      #expect(try await collector.json("/api/alerts/log")["log"].array.map { $0["place"].string } == ["#/sessions/s-3"])
      let rows = try await state.read {
        try $0.row("SELECT (SELECT COUNT(*) FROM alert_log), (SELECT COUNT(*) FROM ask_change)")
      }
      #expect(rows?.values == [.integer(1), .integer(1)])
    }
  }

  @Test func `an incident about it is over after an hour`() async throws {
    try await RunningCollector.with { collector in
      let pager = try await collector.post(
        "/api/alerts/channels",
        #"{"kind":"pagerduty","name":"p","routingKey":"0123456789abcdef0123456789abcdef"}"#)
      let channel = try #require(try pager.json()["id"].int)
      let id = try await Self.add(#"{"kind":"ask","channels":[\#(channel)]}"#, to: collector)
      _ = try await Self.come("s-1", user: "eve", collector)
      _ = try await Self.log(1, of: collector)
      let store = collector.collector.store
      func end(after minutes: Int64) async throws -> [String] {
        try await store.state.write { state in
          let rule = try #require(try AlertStore.rule(Int64(id), in: state.reading))
          try AlertDecision.forget(rule, at: WallClock.now + minutes * 60_000, in: state)
          return try state.rows("SELECT event FROM alert_log ORDER BY id").map { try $0[0] }
        }
      }
      #expect(try await end(after: 50) == ["triggered"])
      #expect(try await end(after: 70) == ["triggered", "resolved"])
      #expect(try await end(after: 80) == ["triggered", "resolved"])
    }
  }

  @Test func `a rule says which of both it tells, and takes nothing that it does not know`() async throws {
    try await RunningCollector.with { collector in
      for (body, member) in [
        (#"{"kind":"ask","states":["asked"]}"#, "states"), (#"{"kind":"silence","states":["came"]}"#, "states"),
        (#"{"kind":"ask","version":"2.4"}"#, "version"), (#"{"kind":"ask","issueKinds":["crash"]}"#, "issueKinds"),
      ] {
        let answer = try await collector.post("/api/alerts/rules", body)
        #expect(answer.status == 400 && answer.text.contains(member), "\(answer.text)")
      }
      let one = try await Self.add(#"{"kind":"ask","states":["gone"],"bundleId":"dev.example.shop"}"#, to: collector)
      _ = try await Self.add(#"{"kind":"ask"}"#, to: collector)
      let rules = try await collector.json("/api/alerts")["rules"].array
      #expect(
        rules.map { $0["sentence"].string } == [
          "When what was asked for of devices is gone in dev.example.shop: tell, at most once in an hour about the same.",
          "When what was asked for of devices comes or is gone: tell, at most once in an hour about the same.",
        ])
      #expect(rules[0]["id"].int == one && rules[0]["states"] == .list([.text("gone")]))
    }
  }
}
