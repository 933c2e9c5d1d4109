import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Apps that keep what they record hear of news while they are in the foreground, without a delivery.
@Suite struct `Listening for news` {
  /// Starts a channel of an app that keeps what it records.
  private func start(
    _ bench: ControlBench, _ collector: TestCollector, asker: String? = "user=eve", inForeground: Bool = true
  ) throws -> ControlChannel {
    let channel = try #require(bench.channel(to: collector.url))
    if !inForeground { channel.wentToBackground() }
    if let asker { channel.queue.sync { channel.setAsker { asker } } }
    channel.start()
    return channel
  }

  /// Lets so many questions be put as are put in ten minutes.
  private func pass(_ bench: ControlBench, _ channel: ControlChannel) async {
    for _ in 0..<20 {
      channel.queue.sync {}
      bench.clock.advance(milliseconds: 30_000)
      try? await Task.sleep(for: .milliseconds(10))
    }
    channel.queue.sync {}
  }

  @Test func `a question is put that says who asks and how long it may be held, and its answer brings news`()
    async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    let bench = try ControlBench()
    let channel = try start(bench, collector)
    #expect(await eventually(bench.clock) { !collector.questions.isEmpty })
    let question = try #require(collector.questions.first)
    #expect(
      question.path == "/sdk-commands?launchId=\(channel.options.launch)&bundleId=com.example&config=0-test&wait=50")
    #expect(question.headers["x-automobile-asker"] == "user=eve")
    #expect(collector.configRequests.first?.headers["x-automobile-asker"] == "user=eve")
    collector.set(0, #""upload":{"asks":[{"id":"1","user":"eve"}]}"#, tag: "0-test-1")
    #expect(await eventually(bench.clock) { channel.queue.sync { channel.state.tag } == "0-test-1" })
    #expect(channel.status.lastError == nil)
    channel.stop()
  }

  @Test func `nobody listens who keeps nothing, is in the background, or has been offered nothing that makes sense`()
    async throws
  {
    let cases: [(offer: String?, asker: String?, inForeground: Bool)] = [
      ("50", nil, true), ("50", "user=eve", false), (nil, "user=eve", true), ("", "user=eve", true),
      ("0", "user=eve", true), ("-5", "user=eve", true), ("9", "user=eve", true), ("99999", "user=eve", true),
      ("1e2", "user=eve", true), ("99999999999999999999", "user=eve", true),
    ]
    for (offer, asker, inForeground) in cases {
      let collector = try TestCollector()
      defer { collector.stop() }
      collector.offer(offer)
      let bench = try ControlBench()
      let channel = try start(bench, collector, asker: asker, inForeground: inForeground)
      #expect(await eventually { channel.status.version == 0 })
      await pass(bench, channel)
      #expect(collector.questions.isEmpty, "\(offer ?? "none") \(asker ?? "none") \(inForeground)")
      channel.stop()
    }
  }

  @Test func `the background ends it, the foreground begins it again, and so does what is kept`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    let bench = try ControlBench()
    let channel = try start(bench, collector)
    #expect(await eventually(bench.clock) { !collector.questions.isEmpty })
    channel.wentToBackground()
    await pass(bench, channel)
    let before = collector.questions.count
    await pass(bench, channel)
    #expect(collector.questions.count == before)
    channel.cameToForeground()
    #expect(await eventually(bench.clock) { collector.questions.count > before })
    channel.queue.sync { channel.setAsker(nil) }
    await pass(bench, channel)
    let after = collector.questions.count
    await pass(bench, channel)
    #expect(collector.questions.count == after)
    channel.stop()
  }

  @Test func `a collector without a place for the question is asked no more until it offers one`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    let bench = try ControlBench()
    let channel = try start(bench, collector)
    #expect(await eventually(bench.clock) { !collector.questions.isEmpty })
    collector.offer(nil)
    #expect(await eventually(bench.clock) { channel.queue.sync { channel.state.listenSeconds } == nil })
    await pass(bench, channel)
    let before = collector.questions.count
    await pass(bench, channel)
    #expect(collector.questions.count == before)
    collector.offer("60")
    channel.cameToForeground()
    #expect(await eventually(bench.clock) { collector.questions.last?.path.hasSuffix("wait=60") == true })
    channel.stop()
  }

  @Test func `commands in the answer are not done`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    collector.command("c1", "ping")
    let bench = try ControlBench()
    let channel = try start(bench, collector)
    channel.register("ping", changesSomething: false) { _ in ["pong": true] }
    #expect(await eventually(bench.clock) { collector.questions.count > 1 })
    channel.queue.sync {}
    #expect(collector.result(of: "c1") == nil)
    channel.stop()
  }

  @Test func `who asks is told in letters that a header can have, and what nobody can ask for is left out`() {
    let context = SdkContext()
    #expect(context.asker == "")
    context.userId = "eve & adam=ü\r\nX: y"
    context.sessionId = "s-1"
    context.appVersion = String(repeating: "9", count: 501)
    context.anonymousId = "A1"
    #expect(context.asker == "session=s%2D1&user=eve%20%26%20adam%3D%C3%BC%0D%0AX%3A%20y&device=A1")
  }

  @Test func `who asks has room in every server's headers, and what does not fit makes room for what does`() {
    let context = SdkContext()
    context.sessionId = String(repeating: "/", count: 500)
    context.userId = String(repeating: "ü", count: 250)
    context.anonymousId = "A1"
    context.appVersion = "1.2"
    #expect(context.asker.utf8.count <= 2048)
    #expect(context.asker.hasPrefix("session=%2F") && context.asker.hasSuffix("&device=A1&version=1%2E2"))
    #expect(!context.asker.contains("user="))
  }
}
