import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `Commands` {
  private func channel(
    _ collector: TestCollector, _ bench: ControlBench, access: RemoteCommandAccess = .all
  ) throws -> ControlChannel {
    let channel = try #require(bench.channel(to: collector.url, commands: access))
    channel.register("double", changesSomething: false) { command in
      let number = try command.arguments.member("number").integer(in: 0...100, default: 0)
      return ["doubled": .int(number * 2)]
    }
    channel.register("change", changesSomething: true) { _ in ["changed": true] }
    channel.register("large", changesSomething: false) { _ in
      .string(String(repeating: "x", count: CommandRegistry.maximumResult))
    }
    return channel
  }

  /// Waits for the answer to a command, moving the clock on meanwhile.
  private func answer(_ collector: TestCollector, _ bench: ControlBench, _ id: String) async throws -> [String: Any] {
    #expect(await eventually(bench.clock) { collector.result(of: id) != nil })
    return try #require(collector.result(of: id))
  }

  @Test func `a command is done, answered and logged`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try channel(collector, bench)
    let recorded = Locked<[String]>([])
    channel.onCommand { message in recorded.withLock { $0.append(message) } }
    channel.start()
    collector.command("c1", "double", #"{"number":21}"#)
    let answer = try await answer(collector, bench, "c1")
    #expect(answer["ok"] as? Bool == true)
    #expect((answer["result"] as? [String: Any])?["doubled"] as? Int == 42)
    #expect(await eventually { channel.status.log.contains { $0.kind == .command } })
    #expect(recorded.withLock { $0 }.first?.hasPrefix("double: done (") == true)
    let question = try #require(collector.questions.first)
    #expect(question.path.contains("commands=change,double,large"))
    #expect(question.path.contains("launchId=\(channel.options.launch)"))
    #expect(question.headers["authorization"] == "Bearer key")
    channel.stop()
  }

  @Test func `what is not known, not allowed, not valid or too large is answered with the reason`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try channel(collector, bench, access: .readOnly)
    channel.start()
    for (id, name, arguments, code) in [
      ("a", "unheard-of", "{}", "unknown_command"), ("b", "change", "{}", "not_allowed"),
      ("c", "double", #"{"number":"many"}"#, "invalid_arguments"), ("d", "large", "{}", "too_large"),
      ("e", "double", "[1]", "invalid_arguments"),
    ] {
      collector.command(id, name, arguments)
      let answer = try await answer(collector, bench, id)
      #expect(answer["ok"] as? Bool == false)
      #expect((answer["error"] as? [String: Any])?["code"] as? String == code, "\(name)")
    }
    #expect(!collector.questions.contains { $0.path.contains("change") })
    channel.stop()
  }

  @Test func `a command that takes too long is given up, and holds nobody else up`() async throws {
    let registry = CommandRegistry(access: .all)
    let gate = DispatchSemaphore(value: 0)
    registry.register("stuck", changesSomething: false) { _ in
      gate.wait()
      return "late"
    }
    registry.register("ping", changesSomething: false) { _ in "pong" }
    func command(_ name: String, timeout: Double) throws -> ControlCommand {
      try ControlCommand(
        ControlValue("c", ["id": "1", "command": .string(name), "timeoutSeconds": .double(timeout)]))
    }
    let outcomes = Locked<[CommandOutcome]>([])
    @Sendable func note(_ outcome: CommandOutcome) { outcomes.withLock { $0.append(outcome) } }
    for _ in 0..<CommandRegistry.maximumRunning - 1 {
      registry.run(try command("stuck", timeout: 0.1), completion: note)
    }
    #expect(await eventually { outcomes.withLock { $0.count } == CommandRegistry.maximumRunning - 1 })
    #expect(outcomes.withLock { $0 }.allSatisfy { if case .failed("timeout", _) = $0 { true } else { false } })
    outcomes.withLock { $0 = [] }
    registry.run(try command("ping", timeout: 30), completion: note)
    #expect(await eventually { outcomes.withLock { $0 } == [.result("pong")] })
    // All places taken: the next one is told so.
    outcomes.withLock { $0 = [] }
    registry.run(try command("stuck", timeout: 0.1), completion: note)
    registry.run(try command("ping", timeout: 30), completion: note)
    #expect(
      await eventually {
        outcomes.withLock { $0 }.contains { if case .failed("busy", _) = $0 { true } else { false } }
      })
    for _ in 0..<CommandRegistry.maximumRunning { gate.signal() }
    // What returns late is forgotten.
    #expect(await eventually { outcomes.withLock { $0.count } == 2 })
  }

  @Test(arguments: [
    #"{"commands":"all"}"#, #"{"commands":[1,null,{}]}"#, "[]", "{",
    #"{"commands":[{"id":"../x","command":"double"}]}"#,
    #"{"commands":[{"id":"1","command":"double","timeoutSeconds":1e9}]}"#,
    #"{"commands":["# + Array(repeating: #"{"id":"1","command":"double"}"#, count: 17).joined(separator: ",") + "]}",
    #"{"commands":"# + String(repeating: "[", count: 60_000),
  ])
  func `questions that are answered with rubbish are repeated at a slower and slower pace`(body: String) async throws {
    let asked = Locked(0)
    let server = try HTTPTestServer { request in
      switch request.path.prefix(while: { $0 != "?" }) {
      case "/sdk-config": return .json(200, headers: ["ETag": "\"1\""], #"{"version":1,"issuer":"a"}"#)
      case "/sdk-commands":
        asked.withLock { $0 += 1 }
        return .json(200, body)
      default: return .json(404, "{}")
      }
    }
    defer { server.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: server.url, commands: .all))
    channel.register("double", changesSomething: false) { _ in .null }
    channel.start()
    #expect(await eventually(bench.clock) { bench.clock.waits.count >= 8 })
    #expect(bench.clock.waits.prefix(8) == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    channel.stop()
    #expect(!server.requests.contains { $0.path.contains("result") })
  }

  @Test func `a collector that asks delivery to wait is not asked for commands either`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try channel(collector, bench)
    channel.start()
    // Answered at once, the question is asked again after a second.
    #expect(await eventually { bench.clock.waits == [1000] })
    channel.note(
      HTTPAnswer(status: 503, headers: ["retry-after": "600"]),
      from: try #require(DeliveryEndpoint(base: collector.url)))
    channel.queue.sync {}
    for _ in 0..<59 {
      bench.clock.pass(milliseconds: 10_000)
      channel.queue.sync {}
    }
    #expect(collector.questions.count == 1)
    bench.clock.pass(milliseconds: 20_000)
    #expect(await eventually(bench.clock) { collector.questions.count > 1 })
    channel.stop()
  }

  @Test(arguments: [false, true])
  func `an answer that did not arrive is not sent again when nothing may be any more`(isStopped: Bool) async throws {
    let isFirst = Locked(true)
    let server = try HTTPTestServer { request in
      switch request.path.prefix(while: { $0 != "?" }) {
      case "/sdk-config": return .json(200, headers: ["ETag": "\"1\""], #"{"version":1,"issuer":"a"}"#)
      case "/sdk-commands":
        let isFirst = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        return .json(200, #"{"commands":[\#(isFirst ? #"{"id":"1","command":"double"}"# : "")]}"#)
      default: return .json(503, "{}")
      }
    }
    defer { server.stop() }
    func answers() -> Int { server.requests.filter { $0.path.contains("result") }.count }
    let bench = try ControlBench()
    let may = Locked(true)
    let channel = try #require(bench.channel(to: server.url, commands: .all) { may.withLock { $0 } })
    channel.register("double", changesSomething: false) { _ in .null }
    channel.start()
    #expect(await eventually { bench.clock.waits.contains(500) })
    #expect(answers() == 1)
    if isStopped { channel.stop() } else { may.withLock { $0 = false } }
    channel.queue.sync {}
    for _ in 0..<3 {
      bench.clock.advance()
      channel.queue.sync {}
    }
    // A request would be on its way by now.
    try await Task.sleep(nanoseconds: 300_000_000)
    #expect(answers() == 1)
    channel.stop()
  }

  @Test func `a command that is handed out twice is done once`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try channel(collector, bench)
    let count = Locked(0)
    channel.register("count", changesSomething: true) { _ in
      count.withLock { $0 += 1 }
      return .null
    }
    channel.start()
    collector.command("same", "count")
    _ = try await answer(collector, bench, "same")
    collector.command("same", "count")
    collector.command("other", "double")
    _ = try await answer(collector, bench, "other")
    #expect(count.withLock { $0 } == 1)
    channel.stop()
  }

  @Test func `nobody is asked for commands who is not a collector, nor in a release build, nor against the app's word`()
    async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.answerConfig(.json(404, "{}"))
    let stranger = try channel(collector, bench)
    stranger.start()
    #expect(await eventually { stranger.status.lastStatusCode == 404 })
    stranger.queue.sync {}
    #expect(collector.questions.isEmpty)
    collector.answerConfig(nil)
    let closed = try channel(collector, try ControlBench(), access: .none)
    closed.start()
    #expect(await eventually { closed.status.version == 0 })
    closed.queue.sync {}
    #expect(collector.questions.isEmpty)

    func access(isDebugBuild: Bool, _ word: RemoteCommandAccess) throws -> RemoteCommandAccess? {
      var environment = SdkEnvironment()
      environment.hasControlChannel = true
      environment.isDebugBuild = isDebugBuild
      var configuration = AutoMobileConfiguration(endpoint: collector.url, storage: .directory(bench.directory.url))
      configuration.remoteCommands = word
      let place = RecordingPlace(bundleId: nil, configuration: configuration, environment: environment)
      let delivery = try DeliveryOptions(
        configuration, bundleId: nil, directory: place.directory, environment: environment)
      return delivery.map {
        ControlChannel($0, configuration, place, environment, launch: .init()).options.commands
      }
    }
    #expect(try access(isDebugBuild: true, .all) == .all)
    #expect(try access(isDebugBuild: true, .readOnly) == .readOnly)
    #expect(try access(isDebugBuild: true, .none) == RemoteCommandAccess.none)
    #expect(try access(isDebugBuild: false, .all) == RemoteCommandAccess.none)
  }

  @Test func `the collector can switch questions for commands off`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(1, #""control":{"commands":false}"#)
    let channel = try channel(collector, bench)
    channel.start()
    #expect(await eventually { channel.status.version == 1 })
    channel.queue.sync {}
    #expect(collector.questions.isEmpty)
  }

  @Test func `every app answers ping, diagnostics and flush, and records that it was asked`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try SdkHarness(realTimers: true, hasControlChannel: true) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
    }
    harness.sdk.trackEvent(name: "a")
    for name in ["ping", "diagnostics", "flush"] { collector.command(name, name) }
    #expect(
      await eventually { ["ping", "diagnostics", "flush"].allSatisfy { collector.result(of: $0) != nil } })
    let launch = try #require(harness.sdk.diagnostics.launchId)
    #expect((collector.result(of: "ping")?["result"] as? [String: Any])?["launchId"] as? String == launch)
    let diagnostics = try #require(collector.result(of: "diagnostics")?["result"] as? [String: Any])
    #expect(diagnostics["isInitialized"] as? Bool == true)
    #expect(diagnostics["launchId"] as? String == launch)
    #expect(await eventually { collector.delivered == 4 })
    #expect(harness.sdk.diagnostics.recorded == 4)
  }
}
