#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
import AutoMobileJournal
import Foundation
import Testing

/// Programs with an SDK as an app has it, and a receiver that counts what comes.
@Suite struct DeliveryVictimTests {
  private let home: TemporaryDirectory

  init() throws { home = try TemporaryDirectory() }

  private func run(_ endpoint: String, _ steps: String..., output: URL? = nil) throws -> ProcessRun {
    // Where a program's directory for caches is.
    let variables = ["XDG_CACHE_HOME": home.url.path, "HOME": home.url.path, "CFFIXED_USER_HOME": home.url.path]
    return try ProcessRun("delivery-victim", [endpoint] + steps, output: output, variables: variables)
  }

  #if os(macOS)
  private var events: URL { home.file("Library/Caches/automobile_events") }
  #else
  private var events: URL { home.file("automobile_events") }
  #endif

  private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: events.path)) ?? []).sorted() }

  private var left: [String] { names.filter { $0.hasPrefix("events_") || $0 == PredecessorEvents.planName } }

  /// What an app's version with AutoMobile's own SDK has left: two files, and one that is damaged.
  private func leaveEvents() throws {
    try FileManager.default.createDirectory(at: events, withIntermediateDirectories: true)
    let now = Clocks.millisecondsSince1970()
    func write(_ number: Int, _ numbers: [Int]) throws {
      let entries = numbers.map { number -> [String: String] in
        let json = #"{"properties":{},"timestamp":1,"eventType":"custom","name":"event \#(number)"}"#
        return ["eventType": "custom", "payload": Data(json.utf8).base64EncodedString()]
      }
      try JSONSerialization.data(withJSONObject: entries)
        .write(to: events.appendingPathComponent("events_\(now - 5000 + Int64(number))_\(UUID().uuidString).json"))
    }
    try write(0, [0, 1, 2])
    try write(1, [3])
    try Data("damaged".utf8).write(to: events.appendingPathComponent("events_\(now)_\(UUID().uuidString).json"))
  }

  /// The numbers of all events of the predecessor that the receiver has, each as often as it has it.
  private func predecessors(_ receiver: TestReceiver) -> [Int] {
    AutoMobileSDKTests.numbers(receiver.store.events.values.flatMap(\.values).filter { $0.contains("event ") })
  }

  private func names(_ receiver: TestReceiver) -> [String] {
    receiver.store.events.values.flatMap(\.values).compactMap { json in
      let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      return object?["name"] as? String
    }
  }

  @Test(arguments: [TestReceiver.Dialect.both, .envelopeOnly])
  func `files of AutoMobile's own SDK are delivered once, over two launches`(
    _ dialect: TestReceiver.Dialect
  ) async throws {
    try leaveEvents()
    let receiver = try TestReceiver(dialect)
    defer { receiver.stop() }
    let output = home.file("said")
    try Data().write(to: output)
    let first = try run(receiver.url.absoluteString, "start", "event", "first", "wait", "3", "say", output: output)
    #expect(await eventually { names(receiver).contains("first") })
    #expect(await eventually { predecessors(receiver) == [0, 1, 2, 3] && left.isEmpty })
    // By then it has heard the answers, so that nothing is sent again.
    #expect(await eventually { ((try? Data(contentsOf: output)) ?? Data()).contains(10) })
    first.kill()
    #expect(await first.status() == SIGKILL)
    let second = try run(receiver.url.absoluteString, "start", "event", "second", "wait", "1", "end")
    #expect(await second.status() == 0)
    #expect(names(receiver).contains("second"))
    #expect(predecessors(receiver) == [0, 1, 2, 3])
    #expect(receiver.store.duplicates == 0 && receiver.store.violations.isEmpty)
    guard dialect == .both else { return }
    // The predecessor's, and the first launch's.
    let dropped = receiver.dropsOfLedgersThatAddUp(2)
    #expect(dropped == ["corrupt": 1])
  }

  @Test func `of an app killed at any moment of its start, what was left is delivered once`() async throws {
    try leaveEvents()
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    for _ in 0..<12 {
      let victim = try run(receiver.url.absoluteString, "start")
      try await Task.sleep(nanoseconds: UInt64.random(in: 0..<60_000_000))
      victim.kill()
      _ = await victim.status()
    }
    let last = try run(receiver.url.absoluteString, "start", "event", "last", "wait", "5", "end")
    #expect(await last.status() == 0)
    #expect(left.isEmpty)
    #expect(predecessors(receiver) == [0, 1, 2, 3])
    #expect(receiver.store.violations.filter { !$0.contains("after the final one") }.isEmpty)
  }

  @Test func `while the app does not want the SDK nothing of it is touched, and then it is delivered`() async throws {
    try leaveEvents()
    let before = names
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let output = home.file("said")
    try Data().write(to: output)
    let consent = home.file("consent")
    let victim = try run(
      receiver.url.absoluteString, "off", "start", "event", "never", "flush", "wait", "1", "say", "until", consent.path,
      "on", output: output)
    defer { victim.kill() }
    #expect(await eventually { ((try? Data(contentsOf: output)) ?? Data()).contains(10) })
    #expect(names == before)
    #expect(receiver.requests.isEmpty)
    try Data().write(to: consent)
    #expect(await eventually { predecessors(receiver) == [0, 1, 2, 3] && left.isEmpty })
  }

  @Test func `of ten returns to the foreground none asks a receiver that wants to be left alone`() async throws {
    let receiver = try TestReceiver { _ in .instead(.json(429, headers: ["Retry-After": "600"], "{}")) }
    defer { receiver.stop() }
    let victim = try run(
      receiver.url.absoluteString, "start", "event", "a", "wait", "1.5", "return", "10", "event", "b", "flush", "wait",
      "1",
      "end")
    #expect(await victim.status() == 0)
    #expect(receiver.requests.count == 1)
    // The next launch does not know of the wish, and brings all of it.
    let next = try TestReceiver()
    defer { next.stop() }
    #expect(await (try run(next.url.absoluteString, "start", "wait", "1", "end")).status() == 0)
    #expect(names(next).sorted() == ["a", "b"])
    #expect(next.dropsOfLedgersThatAddUp(1) == [:])
  }

  /// `0.0.0.0` leads to this machine, and the SDK does not know that.
  @Test func `a receiver elsewhere gets one request at first, and no more before it is time or somebody asks`()
    async throws
  {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let output = home.file("said")
    try Data().write(to: output)
    let elsewhere = "http://0.0.0.0:\(receiver.port)"
    let victim = try run(
      elsewhere, "start", "event", "first", "wait", "2", "event", "second", "wait", "2", "event", "third", "wait", "2",
      "say", "flush", "wait", "5", "event", "last", "end", output: output)
    #expect(await eventually { ((try? Data(contentsOf: output)) ?? Data()).contains(10) })
    let said = try JSONDecoder().decode(AutoMobileDiagnostics.self, from: Data(contentsOf: output))
    #expect(said.delivery?.requests == 1 && said.delivery?.waitsFor == .interval)
    #expect(await victim.status() == 0)
    #expect(names(receiver).sorted() == ["first", "last", "second", "third"])
    #expect(receiver.requests.count == 3)
  }
}
#endif
