import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Asking for what devices keep` {
  @Test func `an ask is told to the device that it concerns, is on its way then, and comes with its events`()
    async throws
  {
    try await RunningCollector.with { collector in
      var batch = try await collector.know("s-1", device: "d-1", user: "eve")
      let base = try await collector.tag(nil)
      let answer = try await collector.askDevices(#"{"session":"s-1","reason":" Ticket 88 "}"#)
      #expect(answer.status == 200, "\(answer.text)")
      let ask = try answer.json()
      let id = try #require(ask["id"].int)
      #expect(ask["state"].string == "asked" && ask["bundleId"].string == RunningCollector.shop)
      #expect(ask["reason"].string == "Ticket 88" && ask["askedBy"].string == "Somebody on this machine")
      #expect(ask["kind"].string == "session" && ask["subject"].string == "s-1")
      // Events that come before the device has heard of it come for another reason.
      batch.addLog("for another reason")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      #expect(try await collector.json("/api/asks/\(id)")["state"].string == "asked")

      for stranger in [nil, "device=d-2&user=adam&session=s-2&version=2.1"] {
        let told = try await collector.tell(stranger)
        #expect(try told.json()["upload"] == .null && told.headers["X-AutoMobile-Config"] == [base])
      }
      let told = try await collector.tell("device=d-1")
      let asks = try told.json()["upload"]["asks"]
      #expect(asks == .list([.object(["id": .text(collector.name(id)), "session": .text("s-1")])]), "\(asks)")
      #expect(!told.text.contains("Ticket"))
      let tag = try #require(told.headers["X-AutoMobile-Config"].first)
      #expect(tag != base && told.headers["ETag"] == ["\"\(tag)\""])
      #expect(try await collector.tell("device=d-1", tag: tag).status == 304)
      _ = try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "on_its_way" }

      batch.addLog("kept 1")
      batch.addLog("kept 2")
      batch.add(
        .event,
        #"{"eventType":"session_summary","timestamp":1700000000000,"session":"s-1","keptEvents":3,"contextId":1}"#)
      try await collector.post(raw: batch)
      let came = try await collector.wait(for: "/api/asks/\(id)") {
        $0["state"].string == "came" && $0["events"].int == 2
      }
      #expect(came["toldAt"].int != nil && came["cameAt"].int != nil)
      let gone = try await collector.send(.DELETE, "/api/asks/\(id)")
      #expect(try gone.json()["state"].string == "gone" && gone.json()["gone"].string == "withdrawn")
      #expect(try await collector.tag("device=d-1") == base)
      #expect(try await collector.send(.DELETE, "/api/asks/\(id)").errorCode == "ask_gone")
      #expect(try await collector.send(.DELETE, "/api/asks/999").errorCode == "no_ask")
    }
  }

  @Test func `a user is looked for on the devices where they were seen, and where they are now`() async throws {
    try await RunningCollector.with { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      try await collector.know("s-2", device: "d-2", user: "adam")
      let base = try await collector.tag(nil)
      _ = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#)
      for concerned in ["device=d-1&user=somebody", "device=d-9&user=eve", "user=eve"] {
        #expect(try await collector.tag(concerned) != base, "\(concerned)")
      }
      for other in ["device=d-2&user=adam", "user=Eve", "user=eve2", "session=s-1", "version=2.1"] {
        #expect(try await collector.tag(other) == base, "\(other)")
      }
      // Of another app with users of the same name.
      let other = try await collector.tell("user=eve", bundle: "dev.example.other")
      #expect(try other.json()["upload"] == .null)
    }
  }

  @Test func `what somebody opens from a file is no device's answer`() async throws {
    try await RunningCollector.with { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      let file = try await collector.get("/api/sessions/s-1/file").body
      let id = try await collector.asked(#"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#)
      _ = try await collector.tell("device=d-1")
      _ = try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "on_its_way" }
      let opened = try await collector.send(
        .POST, "/api/import", headers: [("Content-Type", SessionFile.mediaType)], body: file)
      let session = try #require(try opened.json()["sessionId"].string)
      _ = try await collector.wait(for: "/api/sessions/\(session)") { ($0["events"].int ?? 0) > 0 }
      // Of what comes then, only the device's own counts.
      try await collector.know("s-2", device: "d-1", user: "eve")
      let came = try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "came" }
      #expect(came["events"].int == 1)
    }
  }

  @Test func `a range of time counts what is in it`() async throws {
    try await RunningCollector.with { collector in
      var batch = try await collector.know("s-1", device: "d-1", user: "eve")
      let id = try await collector.asked(
        #"{"bundleId":"dev.example.shop","device":"d-1","from":1700000000100,"to":1700000000200,"reason":"r"}"#)
      let told = try await collector.tell("device=d-1").json()["upload"]["asks"][0]
      #expect(told["from"].int == 1_700_000_000_100 && told["to"].int == 1_700_000_000_200)
      for time in [1_700_000_000_099, 1_700_000_000_100, 1_700_000_000_200, 1_700_000_000_201] {
        batch.addLog("at \(time)", at: time)
      }
      _ = try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "on_its_way" }
      try await collector.post(raw: batch)
      _ = try await collector.wait(for: "/api/asks/\(id)") { $0["events"].int == 2 }
    }
  }

  @Test func `what ingest answers name is the document of whoever delivers, also after a restart and an erasure`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let left = Kept<RawBatch?>(nil)
    try await RunningCollector.with(directory: directory.url) { collector in
      var mine = try await collector.know("s-1", device: "d-1", user: "eve")
      var other = try await collector.know("s-2", device: "d-2", user: "adam")
      let base = try await collector.tag(nil)
      _ = try await collector.asked(#"{"session":"s-1","reason":"r"}"#)
      mine.addLog("more")
      other.addLog("more")
      #expect(try await collector.named(to: mine, of: "device=d-1") == [try await collector.tag("device=d-1")])
      #expect(try await collector.named(to: mine, of: "device=d-1") != [base])
      #expect(try await collector.named(to: other, of: "device=d-2") == [base])
      // Apps that send everything say nothing of themselves.
      #expect(try await collector.named(to: mine, of: nil) == [base])
      left.set(mine)
    }
    let batch = try #require(left.value)
    try await RunningCollector.with(directory: directory.url) { collector in
      let base = try await collector.tag(nil)
      try await collector.wait { try await collector.named(to: batch, of: "device=d-1") != [base] }
      _ = try await collector.erase(#"{"user":"adam"}"#)
      #expect(try await collector.named(to: batch, of: "device=d-1") == [try await collector.tag("device=d-1")])
      #expect(try await collector.named(to: batch, of: "device=d-1") != [base])
    }
  }

  @Test func `a question that is held is answered at once for whom the ask concerns, and stays for others`()
    async throws
  {
    try await RunningCollector.with { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      let told = try await collector.tell("device=d-1")
      let base = try #require(told.headers["X-AutoMobile-Config"].first)
      #expect(told.headers["X-AutoMobile-Listen"] == ["50"])
      #expect(try await collector.tell(nil).headers["X-AutoMobile-Listen"].isEmpty)
      let start = ContinuousClock.now
      async let mine = collector.listen("device=d-1", tag: base, launch: "mine")
      let isOver = Kept(false)
      async let other = {
        let answer = try await collector.listen("device=d-2", tag: base, launch: "other", wait: 6)
        isOver.set(true)
        return answer
      }()
      try await collector.wait { collector.collector.held.count == 2 }
      _ = try await collector.asked(#"{"session":"s-1","reason":"r"}"#)
      let news = try await mine
      #expect(!isOver.value)
      #expect(news.status == 204 && news.headers["X-AutoMobile-Config"] != [base])
      let quiet = try await other
      #expect(ContinuousClock.now - start >= .seconds(5.9))
      #expect(quiet.status == 204 && quiet.headers["X-AutoMobile-Config"] == [base])
      // It takes no commands, so nobody is shown that could be given one.
      #expect(try await collector.json("/api/commands")["listeners"].array.isEmpty)
    }
  }

  @Test func `asks survive the collector, and what came is not counted twice`() async throws {
    let directory = try TemporaryDirectory()
    let (id, batch) = try await Self.storyThatCame(in: directory.url)
    try await RunningCollector.with(directory: directory.url) { collector in
      #expect(try await collector.json("/api/asks/\(id)")["events"].int == 1)
      try await collector.wait {
        try await collector.tell("device=d-1").json()["upload"]["asks"][0]["id"].string == collector.name(id)
      }
      var batch = batch
      batch.addLog("kept 2")
      try await collector.post(raw: batch)
      _ = try await collector.wait(for: "/api/asks/\(id)") { $0["events"].int ?? 0 >= 2 }
      // What came of another ask is counted by a later look, which looks at everything up to there for both.
      _ = try await Self.askThatCame("s-2", of: "d-2", collector)
      #expect(try await collector.json("/api/asks/\(id)")["events"].int == 2)
    }
  }

  private static func storyThatCame(in directory: URL) async throws -> (Int, RawBatch) {
    let result = Kept<(Int, RawBatch)?>(nil)
    try await RunningCollector.with(directory: directory) { collector in
      result.set(try await Self.askThatCame("s-1", of: "d-1", collector))
    }
    return try #require(result.value)
  }

  /// An ask of which one event has come.
  private static func askThatCame(
    _ session: String, of device: String, _ collector: RunningCollector
  ) async throws -> (Int, RawBatch) {
    var batch = try await collector.know(session, device: device, user: "eve")
    let id = try await collector.asked(#"{"session":"\#(session)","reason":"r"}"#)
    _ = try await collector.tell("device=\(device)")
    _ = try await collector.wait(for: "/api/asks/\(id)") { $0["state"].string == "on_its_way" }
    batch.addLog("kept 1")
    try await collector.post(raw: batch)
    _ = try await collector.wait(for: "/api/asks/\(id)") { $0["events"].int == 1 }
    return (id, batch)
  }

  @Test func `who is erased is asked for by nobody, and nobody is told`() async throws {
    try await RunningCollector.with { collector in
      try await collector.know("s-1", device: "d-1", user: "eve")
      try await collector.know("s-2", device: "d-2", user: "adam")
      let base = try await collector.tag(nil)
      for body in [
        #"{"session":"s-1","reason":"eve called"}"#, #"{"bundleId":"dev.example.shop","user":"eve","reason":"r"}"#,
        #"{"session":"s-2","reason":"r"}"#,
      ] { _ = try await collector.asked(body) }
      #expect(try await collector.tag("device=d-1") != base)
      let erasure = try await collector.erase(#"{"user":"eve"}"#)
      #expect(erasure["receipt"].string?.contains("\"ask\"") == true)
      let left = try await collector.json("/api/asks")["asks"].array
      #expect(left.map(\.["subject"].string) == ["s-2"])
      #expect(try await collector.tag("device=d-1&user=eve") == base)
      #expect(try await collector.tag("device=d-2") != base)
    }
  }
}

/// A value that a closure leaves behind.
final class Kept<Value>: @unchecked Sendable {
  // Unchecked because `lock` guards the value.
  private let lock = NSLock()
  private var kept: Value

  init(_ value: Value) { kept = value }
  var value: Value { lock.withLock { kept } }
  func set(_ value: Value) { lock.withLock { kept = value } }
}
