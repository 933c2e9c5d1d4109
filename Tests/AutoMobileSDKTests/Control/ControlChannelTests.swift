import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `The control channel` {
  /// What an observer of the kill switch has been told.
  private final class Told: Sendable {
    let values = Locked<[Bool]>([])
    var last: Bool? { values.withLock { $0.last } }
    var all: [Bool] { values.withLock { $0 } }
  }

  private struct Numbers: ControlSection {
    static let name = "numbers"
    var value: Int64 = 1
    init() {}
    init(_ section: ControlValue) throws { value = try section.member("value").integer(in: 0...9, default: 1) }
  }

  private func observe(_ channel: ControlChannel) -> Told {
    let told = Told()
    channel.observe(RecordingSection.self) { section in told.values.withLock { $0.append(section.isEnabled) } }
    return told
  }

  @Test func `at the start the collector is asked once, with key, app and launch`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url))
    collector.set(3, #""recording":{"enabled":true}"#)
    let told = observe(channel)
    channel.start()
    #expect(await eventually { channel.status.version == 3 })
    #expect(told.all == [true])
    let request = try #require(collector.requests.first)
    #expect(request.path == "/sdk-config?bundleId=com.example&launchId=\(channel.options.launch)")
    #expect(request.headers["authorization"] == "Bearer key")
    #expect(request.headers["if-none-match"] == nil)
    channel.hear(of: "3-test", from: collector.url)
    channel.cameToForeground()
    channel.start()
    channel.queue.sync {}
    #expect(channel.status.requests == 1)
  }

  @Test func `who may not ask at the moment asks as soon as that is over`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let may = Locked(false)
    let channel = try #require(bench.channel(to: collector.url) { may.withLock { $0 } })
    channel.start()
    for _ in 0..<3 {
      channel.queue.sync {}
      bench.clock.advance()
    }
    channel.queue.sync {}
    #expect(collector.connectionCount == 0)
    may.withLock { $0 = true }
    #expect(await eventually(bench.clock) { channel.status.version == 0 })
    channel.stop()
  }

  @Test func `an answer that names another document has it fetched, and one that names this one does not`() async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url))
    let told = observe(channel)
    channel.start()
    #expect(await eventually { channel.status.version == 0 })
    collector.set(1, #""recording":{"enabled":false}"#)
    channel.hear(of: "1-test", from: collector.url)
    #expect(await eventually(bench.clock) { told.last == false })
    // Whoever observes is told before the log is.
    channel.queue.sync {}
    #expect(channel.status.log.last?.message == "version 1: recording is switched off")
    #expect(collector.configRequests.last?.headers["if-none-match"] == "\"0-test\"")
    #expect(channel.status.isRecordingAllowed == false)
  }

  @Test func `a tag that fetching does not lead to is not fetched again and again`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url))
    channel.start()
    #expect(await eventually { channel.status.version == 0 })
    channel.hear(of: "99-nowhere", from: collector.url)
    #expect(await eventually(bench.clock) { channel.status.requests == 2 && channel.status.lastStatusCode == 304 })
    for _ in 0..<100 { channel.hear(of: "99-nowhere", from: collector.url) }
    bench.clock.pass(milliseconds: 30_000)
    for _ in 0..<100 { channel.hear(of: "99-nowhere", from: collector.url) }
    channel.queue.sync {}
    #expect(channel.status.requests == 2)
    #expect(bench.clock.waits.count < 5)
    // Another tag is another matter.
    collector.set(2, "")
    channel.hear(of: "2-test", from: collector.url)
    #expect(await eventually(bench.clock) { channel.status.version == 2 })
  }

  @Test func `the document is kept for the next launch, and asked for with its tag`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(4, #""recording":{"enabled":false},"unknown":{"a":[1.5,"ü"]}"#)
    let first = try #require(bench.channel(to: collector.url))
    first.start()
    #expect(await eventually { first.status.version == 4 })
    first.stop()
    first.queue.sync {}

    let second = try #require(bench.channel(to: collector.url))
    #expect(second.wasSwitchedOff)
    let told = observe(second)
    second.start()
    #expect(await eventually { second.status.lastStatusCode == 304 })
    #expect(told.all == [false])
    #expect(second.status.version == 4)
    guard case .entry(let entry) = bench.cache(for: collector.url).load() else {
      Issue.record("nothing is kept")
      return
    }
    #expect(String(decoding: entry.document, as: UTF8.self).contains(#""unknown":{"a":[1.5,"ü"]}"#))
  }

  @Test func `while recording is off the collector is asked at the pace that it has set, and revives it`() async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(1, #""recording":{"enabled":false},"control":{"checkSeconds":120}"#)
    let channel = try #require(bench.channel(to: collector.url))
    let told = observe(channel)
    channel.start()
    #expect(await eventually { told.last == false })
    #expect(await eventually { bench.clock.waits == [120_000] })
    bench.clock.advance()
    #expect(await eventually { bench.clock.waits == [120_000, 120_000] })
    collector.set(2, #""recording":{"enabled":true}"#)
    bench.clock.advance()
    #expect(await eventually { told.last == true })
    #expect(await eventually { !channel.wasSwitchedOff })
    // On again, it waits for answers to deliveries to name something new.
    #expect(await eventually { channel.status.requests == 3 })
    channel.queue.sync {}
    #expect(bench.clock.waits.count == 2)
  }

  @Test func `a collector that asks to be left alone is, by every reason to ask it`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.answerConfig(.answer(429, headers: ["Retry-After": "600"]))
    let channel = try #require(bench.channel(to: collector.url))
    channel.start()
    #expect(await eventually { channel.status.lastStatusCode == 429 })
    for minute in 1..<10 {
      bench.clock.pass(milliseconds: 60_000)
      channel.cameToForeground()
      channel.hear(of: "\(minute)-test", from: collector.url)
      channel.queue.sync {}
    }
    #expect(channel.status.requests == 1)
    collector.set(3, "")
    #expect(await eventually(bench.clock) { channel.status.version == 3 })
    #expect(channel.status.requests == 2)
  }

  @Test func `what delivery is told to wait for holds for the channel, too`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url))
    channel.start()
    #expect(await eventually { channel.status.lastCheck != nil })
    let endpoint = try #require(DeliveryEndpoint(base: collector.url))
    channel.note(HTTPAnswer(status: 503, headers: ["retry-after": "600"]), from: endpoint)
    bench.clock.pass(milliseconds: 590_000)
    channel.cameToForeground()
    channel.queue.sync {}
    #expect(channel.status.requests == 1)
    bench.clock.pass(milliseconds: 20_000)
    #expect(await eventually(bench.clock) { channel.status.requests == 2 })
  }

  @Test func `on a simulator the collector is looked for, also while recording is off`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(2, #""recording":{"enabled":true}"#)
    let port = try #require(collector.url.port)
    var options = ControlOptions(
      bundleId: "com.example", launch: .init(),
      cache: ControlCache(directory: bench.directory.url, owner: "com.example", endpoint: "simulator"))
    options.simulator = SimulatorReceiver(deviceId: "ABC", ports: [port])
    options.apiKey = "key"
    let off = Data(#"{"version":1,"issuer":"test","recording":{"enabled":false}}"#.utf8)
    try options.cache.save(ControlCache.Entry(document: off, tag: "1-test", checkedAt: 0), isOff: true)
    let channel = ControlChannel(
      options: options, transport: URLSessionTransport(), pollTransport: URLSessionTransport(),
      clock: bench.clock.clock)
    let told = observe(channel)
    channel.start()
    #expect(await eventually { told.all == [false, true] })
    #expect(collector.configRequests.first?.headers["authorization"] == "Bearer key")
  }

  @Test func `an old version that somebody sends again changes nothing`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(7, #""recording":{"enabled":false}"#)
    let channel = try #require(bench.channel(to: collector.url))
    let told = observe(channel)
    channel.start()
    #expect(await eventually { told.last == false })
    collector.set(6, #""recording":{"enabled":true}"#)
    channel.hear(of: "6-test", from: collector.url)
    #expect(await eventually(bench.clock) { channel.status.log.contains { $0.kind == .refused } })
    #expect(told.all == [true, false])
    #expect(channel.status.lastError == "version 6 is older than version 7, which is in use")
    // A collector whose data begin anew has another name.
    collector.set(1, #""recording":{"enabled":true}"#, issuer: "another")
    channel.hear(of: "1-another", from: collector.url)
    #expect(await eventually(bench.clock) { told.last == true })
  }

  @Test func `a section in which something is wrong keeps its last value, and the others are applied`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    let channel = try #require(bench.channel(to: collector.url))
    let told = observe(channel)
    let numbers = Locked<[Int64]>([])
    channel.observe(Numbers.self) { section in numbers.withLock { $0.append(section.value) } }
    collector.set(1, #""numbers":{"value":5},"recording":{"enabled":true}"#)
    channel.start()
    #expect(await eventually { channel.status.version == 1 })
    collector.set(2, #""numbers":{"value":55},"sampling":"all","recording":{"enabled":false}"#)
    channel.hear(of: "2-test", from: collector.url)
    #expect(await eventually(bench.clock) { told.last == false })
    #expect(await eventually { channel.status.version == 2 })
    channel.queue.sync {}
    #expect(numbers.withLock { $0 }.last == 5)
    let refused = channel.status.log.filter { $0.kind == .refused }.map(\.message)
    #expect(refused.contains("numbers.value: expected a whole number from 0 to 9, found 55"))
    #expect(refused.filter { $0.hasPrefix("sampling") }.count == 1)
    // Who comes later is told what holds.
    let late = observe(channel)
    #expect(await eventually { late.last == false })
  }

  @Test(arguments: [
    ScriptedAnswer.json(500, "{}"), .json(404, #"{"ok":false}"#), .json(401, "{}"), .close,
    .json(302, headers: ["Location": "https://evil.example/sdk-config"], "{}"),
    .json(200, #"{"version":9,"issuer":"test","recording":{"enabled":true}}"#),
    .json(200, headers: ["ETag": "\"9\""], "<html>"),
    .json(200, headers: ["ETag": "\"9\""], String(repeating: "[", count: 100_000)),
    .json(200, headers: ["ETag": "\"9\""], #"{"version":9,"x":""# + String(repeating: "y", count: 300_000)),
    .json(200, headers: ["ETag": "\"9 \u{7f}\""], #"{"version":9,"issuer":"test","recording":{"enabled":true}}"#),
  ])
  func `an answer that is no document leaves everything as it is`(answer: ScriptedAnswer) async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let bench = try ControlBench()
    collector.set(5, #""recording":{"enabled":false}"#)
    let channel = try #require(bench.channel(to: collector.url))
    let told = observe(channel)
    channel.start()
    #expect(await eventually { told.last == false })
    collector.answerConfig(answer)
    channel.hear(of: "9", from: collector.url)
    #expect(await eventually(bench.clock) { channel.status.lastError != nil })
    #expect(told.all == [true, false])
    #expect(channel.status.version == 5)
    #expect(channel.wasSwitchedOff)
    #expect(!collector.requests.contains { $0.path.contains("evil") })
    // And the next good one is applied.
    collector.set(10, #""recording":{"enabled":true}"#)
    channel.hear(of: "10-test", from: collector.url)
    #expect(await eventually(bench.clock) { told.last == true })
    #expect(await eventually { channel.status.lastError == nil })
  }

  @Test func `the log stays small, whatever comes`() {
    var status = ControlStatus()
    for n in 0..<1000 { status.note(.refused, String(repeating: "x", count: 10_000) + "\(n)", at: Int64(n)) }
    #expect(status.log.count == 1)
    for n in 0..<1000 { status.note(.refused, "\(n)" + String(repeating: "x", count: 10_000), at: Int64(n)) }
    #expect(status.log.count == ControlStatus.logCapacity)
    #expect(status.log.allSatisfy { $0.message.count <= 400 })
  }
}
