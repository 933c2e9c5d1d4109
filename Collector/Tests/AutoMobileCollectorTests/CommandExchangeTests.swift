import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Commands` {
  private func question(
    _ collector: RunningCollector, _ launch: String, bundle: String = "dev.example.shop", wait: Int = 30
  ) async throws -> RunningCollector.Answer {
    try await collector.send(
      .GET, "/sdk-commands?launchId=\(launch)&bundleId=\(bundle)&commands=ping,flush&wait=\(wait)")
  }

  private func command(_ collector: RunningCollector, _ body: String) async throws -> RunningCollector.Answer {
    try await collector.send(
      .POST, "/api/commands", headers: [("Content-Type", "application/json")], body: ByteBuffer(string: body))
  }

  private func answer(
    _ collector: RunningCollector, _ id: String, launch: String, _ body: String
  ) async throws -> RunningCollector.Answer {
    try await collector.send(
      .POST, "/sdk-commands/\(id)/result?launchId=\(launch)", headers: [("Content-Type", "application/json")],
      body: ByteBuffer(string: body))
  }

  private func waitForListener(_ collector: RunningCollector, _ launch: String) async throws {
    _ = try await collector.wait(for: "/api/commands") { answer in
      answer["listeners"].array.contains { $0["launchId"].string == launch }
    }
  }

  @Test func `a command reaches the app that asks, and its answer whoever gave it`() async throws {
    try await RunningCollector.with { collector in
      async let asked = question(collector, "aaaa-1")
      try await waitForListener(collector, "aaaa-1")
      let listener = try await collector.json("/api/commands")["listeners"][0]
      #expect(listener["bundleId"].string == "dev.example.shop")
      #expect(listener["commands"].array.map(\.string) == ["ping", "flush"])
      async let given = command(
        collector, #"{"command":"ping","bundleId":"dev.example.shop","arguments":{"a":[1,"ü"]},"timeoutSeconds":30}"#)
      let command = try await asked.json()["commands"][0]
      #expect(command["command"].string == "ping")
      #expect(command["arguments"]["a"][1].string == "ü")
      let id = try #require(command["id"].string)
      // Only the launch that was asked may answer, and only once.
      #expect(try await answer(collector, id, launch: "other", #"{"ok":true}"#).status == 404)
      #expect(try await answer(collector, id, launch: "aaaa-1", "[]").status == 400)
      #expect(try await answer(collector, id, launch: "aaaa-1", #"{"ok":true,"result":{"x":1}}"#).status == 200)
      #expect(try await answer(collector, id, launch: "aaaa-1", #"{"ok":true}"#).status == 404)
      let result = try await given
      #expect(result.status == 200)
      #expect(try result.json()["launchId"].string == "aaaa-1")
      #expect(try result.json()["answer"]["result"]["x"].int == 1)
    }
  }

  @Test func `a command waits for an app that is between two questions, and gives up on one that is gone`() async throws
  {
    try await RunningCollector.with { collector in
      #expect(try await question(collector, "bbbb-1", wait: 0).status == 204)
      async let given = command(collector, #"{"command":"ping","launchId":"BBBB","timeoutSeconds":30}"#)
      let asked = try await question(collector, "bbbb-1")
      let id = try #require(try asked.json()["commands"][0]["id"].string)
      _ = try await answer(collector, id, launch: "bbbb-1", #"{"ok":true}"#)
      #expect(try await given.status == 200)
      let late = try await command(collector, #"{"command":"ping","launchId":"bbbb-1","timeoutSeconds":0.1}"#)
      #expect(late.status == 504)
      #expect(late.errorCode == "timeout")
      // It is not handed out after that.
      #expect(try await question(collector, "bbbb-1", wait: 0).status == 204)
    }
  }

  @Test(arguments: [
    ("{}", 400), (#"{"command":"ping"}"#, 400), (#"{"command":"","bundleId":"a"}"#, 400),
    (#"{"command":"ping","bundleId":"nobody"}"#, 404), (#"{"command":7,"bundleId":"a"}"#, 400),
    (#"{"command":"ping","bundleId":"a","timeoutSeconds":31}"#, 400), ("[", 400),
  ])
  func `a command that cannot be given is refused`(body: String, status: Int) async throws {
    try await RunningCollector.with { collector in
      let answer = try await command(collector, body)
      #expect(answer.status == status)
    }
  }

  @Test func `a change of configuration answers open questions, which then name it`() async throws {
    try await RunningCollector.with { collector in
      async let asked = question(collector, "cccc-1")
      try await waitForListener(collector, "cccc-1")
      try await collector.put("dev.example.shop", #"{"recording":{"enabled":false}}"#)
      let answer = try await asked
      #expect(answer.status == 204)
      let tag = try #require(answer.headers["X-AutoMobile-Config"].first)
      #expect(tag.hasPrefix("1-"))
      // Who asks and has missed it is told at once.
      let late = try await collector.send(
        .GET, "/sdk-commands?launchId=cccc-1&bundleId=dev.example.shop&config=0-x&wait=30")
      #expect(late.status == 204)
      #expect(late.headers["X-AutoMobile-Config"].first == tag)
    }
  }

  @Test func `an app whose connection is gone is not connected any more`() async throws {
    try await RunningCollector.with { collector in
      // Its process is what ends it.
      let app = Process()
      app.executableURL = URL(filePath: "/usr/bin/env")
      app.arguments = [
        "curl", "--silent",
        "\(collector.url)/sdk-commands?launchId=ffff-1&bundleId=dev.example.shop&commands=ping&wait=30",
      ]
      app.standardOutput = FileHandle.nullDevice
      try app.run()
      try await waitForListener(collector, "ffff-1")
      let start = ContinuousClock.now
      kill(app.processIdentifier, SIGKILL)
      _ = try await collector.wait(for: "/api/commands") { $0["listeners"].array.isEmpty }
      // So that nobody takes it for a release build, which never asks.
      #expect(try await collector.json("/api/commands")["left"].array.map(\.string) == ["ffff-1"])
      // It would be held for 30 s, and remembered for 10.
      #expect(ContinuousClock.now - start < .seconds(25))
      #expect(try await command(collector, #"{"command":"ping","launchId":"ffff-1"}"#).status == 404)
    }
  }

  @Test func `an app that asks again is answered, and its earlier question let go`() async throws {
    try await RunningCollector.with { collector in
      async let first = question(collector, "dddd-1")
      try await waitForListener(collector, "dddd-1")
      async let second = question(collector, "dddd-1")
      #expect(try await first.status == 204)
      async let given = command(collector, #"{"command":"flush","launchId":"dddd-1","timeoutSeconds":30}"#)
      let id = try #require(try await second.json()["commands"][0]["id"].string)
      _ = try await answer(collector, id, launch: "dddd-1", #"{"ok":true}"#)
      #expect(try await given.status == 200)
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a collector that stops does not wait for open questions`() async throws {
    try await RunningCollector.with { collector in
      async let asked = question(collector, "eeee-1")
      try await waitForListener(collector, "eeee-1")
      async let given = command(collector, #"{"command":"ping","launchId":"eeee-1","timeoutSeconds":30}"#)
      #expect(try await asked.status == 200)
      collector.collector.stop()
      #expect(try await given.status == 503)
    }
  }

  @Test func `waiting commands are bounded`() async {
    let exchange = CommandExchange()
    let listener = CommandExchange.Listener(
      address: .init(owner: .app(nil), launch: "a"), bundle: nil, names: [], lastSeen: WallClock.now)
    #expect(await exchange.question(exchange.nextQuestion(), of: listener, wait: 0).isEmpty)
    await withTaskGroup(of: Bool.self) { group in
      for n in 0..<CommandExchange.maximumPerLaunch + 3 {
        group.addTask {
          let command = CommandExchange.Command(id: "\(n)", name: "x", arguments: "{}", timeout: 60)
          if case .busy = await exchange.ask(command, of: listener.address) { return true } else { return false }
        }
      }
      var refused = 0
      for await isBusy in group {
        refused += isBusy ? 1 : 0
        if refused == 3 { exchange.finish() }
      }
      #expect(refused == 3)
    }
  }
}
