import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SpanTests {
  private struct Refused: Error {}

  private func spans(_ harness: SdkHarness) throws -> [SdkSpanEvent] {
    try harness.recorded().compactMap { $0.event as? SdkSpanEvent }
  }

  @Test func `a span is its begin and its end, by one name`() throws {
    let harness = try SdkHarness()
    let before = EventClock.now()
    let result = harness.sdk.span("checkout", attributes: ["items": 3]) { span in
      span.setAttribute("paid", true)
      span.setAttribute("items", nil)
      usleep(3000)
      return "order"
    }
    #expect(result == "order")
    let spans = try spans(harness)
    #expect(spans.map(\.name) == ["checkout", "checkout"])
    #expect(spans[0].context == spans[1].context && spans[0].parentSpanId == nil && spans[1].parentSpanId == nil)
    #expect(spans[0].timestamp == spans[1].timestamp && spans[0].timestamp >= before)
    #expect(spans.map(\.status) == [nil, nil] && spans[0].durationMs == nil)
    let duration = try #require(spans[1].durationMs)
    #expect(duration >= 3 && duration < 10_000)
    #expect(spans[0].attributes == ["items": 3] && spans[1].attributes == ["paid": true])
    try harness.expectBalancedLedger(recorded: 2)
  }

  @Test func `what is begun inside of a span is its child, in tasks as well`() async throws {
    let harness = try SdkHarness()
    let sdk = harness.sdk
    await sdk.span("outer") {
      _ = sdk.span("inner") { sdk.beginSpan("innermost").context }
      async let child: Void = sdk.span("concurrent") {}
      await child
      await Task { sdk.span("task") {} }.value
      sdk.span("root", parent: nil) {}
    }
    #expect(SdkSpanContext.current == nil)
    let all = try spans(harness)
    let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let outer = try #require(byName["outer"])
    for name in ["inner", "concurrent", "task"] {
      #expect(byName[name]?.parentSpanId == outer.context.spanId, "\(name)")
      #expect(byName[name]?.context.traceId == outer.context.traceId, "\(name)")
    }
    #expect(byName["innermost"]?.parentSpanId == byName["inner"]?.context.spanId)
    #expect(byName["root"]?.parentSpanId == nil && byName["root"]?.context.traceId != outer.context.traceId)
    #expect(all.count { $0.name == "innermost" } == 1, "nobody has ended it")
  }

  @Test func `an error passes through and makes its span an error, but for a task that was cancelled`() async throws {
    let harness = try SdkHarness()
    #expect(throws: Refused.self) { try harness.sdk.span("sync") { throw Refused() } }
    await #expect(throws: Refused.self) {
      try await harness.sdk.span("async") {
        await Task.yield()
        throw Refused()
      }
    }
    await #expect(throws: CancellationError.self) {
      try await harness.sdk.span("cancelled") {
        await Task.yield()
        throw CancellationError()
      }
    }
    let ends = try spans(harness).filter { $0.durationMs != nil }
    #expect(ends.map(\.status) == [.error, .error, nil])
    #expect(ends.map(\.statusMessage) == ["Refused", "Refused", nil])
    #expect(ends[2].attributes == ["cancelled": true])
  }

  @Test func `ending twice is harmless, and says nothing new`() throws {
    let harness = try SdkHarness()
    var span = harness.sdk.beginSpan("upload", kind: .client)
    span.end(status: .ok, message: "done")
    span.setAttribute("late", 1)
    span.end(status: .error)
    span.end(throwing: Refused())
    let spans = try spans(harness)
    #expect(spans.map(\.status) == [nil, .ok] && spans.map(\.kind) == [.client, .client])
    #expect(spans[1].attributes.isEmpty)
  }

  @Test func `before initialization spans are kept, and off they are not even told of later`() throws {
    let harness = try SdkHarness(initialized: false)
    var early = harness.sdk.beginSpan("early")
    harness.initialize()
    early.end()
    harness.sdk.setEnabled(false)
    var unseen = harness.sdk.beginSpan("unseen")
    harness.sdk.setEnabled(true)
    unseen.end()
    var cut = harness.sdk.beginSpan("cut")
    harness.sdk.setEnabled(false)
    cut.end()
    #expect(try spans(harness).map(\.name) == ["early", "early", "cut"])
    #expect(harness.sdk.diagnostics.dropped["disabled"] == 2)
  }

  @Test func `a processor sees spans, changes them and drops them`() throws {
    let harness = try SdkHarness()
    harness.sdk.addEventProcessor { event in
      guard let span = event as? SdkSpanEvent else { return event }
      guard span.name != "private" else { return nil }
      return SdkSpanEvent(
        timestamp: span.timestamp, name: "a \(span.name)", context: span.context, durationMs: span.durationMs)
    }
    harness.sdk.span("walk") {}
    harness.sdk.span("private") {}
    #expect(try spans(harness).map(\.name) == ["a walk", "a walk"])
    #expect(harness.sdk.diagnostics.dropped["filtered"] == 2)
  }

  @Test func `hostile names and attributes are bounded`() throws {
    let harness = try SdkHarness()
    let long = String(repeating: "ü", count: 100_000)
    var attributes: [String: MetadataValue] = ["": 1, long: .string(long), "nan": .double(.nan), "null": .null]
    attributes["deep"] = .array([.array([1]), .object(["a": nil]), "plain"])
    for index in 0..<1000 { attributes["x\(index)"] = .array(Array(repeating: 1, count: 1000)) }
    var span = harness.sdk.beginSpan(long, attributes: attributes)
    for index in 0..<1000 { span.setAttribute("y\(index)", 1) }
    span.end(status: .error, message: long)
    for event in try harness.recorded() { #expect(event.payload.count < 20_000) }
    let spans = try spans(harness)
    #expect(spans.count == 2)
    for event in spans {
      #expect(event.name.utf8.count <= 258 && event.attributes.count <= SdkSpanEvent.mostAttributes)
      #expect(event.attributes.values.allSatisfy { if case .null = $0 { false } else { true } })
    }
    #expect(spans[1].statusMessage.map { $0.utf8.count <= SdkSpanEvent.longestText + 3 } == true)
    let odd = SdkSpanEvent(
      name: "", context: SdkSpanContext(),
      attributes: ["deep": .array([.array([1]), .double(.infinity), "plain"]), "nan": .double(.nan), "null": .null])
    #expect(odd.attributes == ["deep": .array(["[1]", "inf", "plain"]), "nan": "nan"])
  }

  @Test func `names are as W3C has them, and never twice`() throws {
    let contexts = (0..<10_000).map { _ in SdkSpanContext() }
    #expect(Set(contexts.map(\.spanId)).count == contexts.count)
    #expect(Set(contexts.map(\.traceId)).count == contexts.count)
    for context in contexts.prefix(100) {
      #expect(context.traceparent.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil)
      #expect(SdkSpanContext(traceparent: context.traceparent) == context)
      #expect(SdkSpanContext(traceId: context.traceId, spanId: context.spanId) == context)
    }
    let child = SdkSpanContext(childOf: contexts[0])
    #expect(child.traceId == contexts[0].traceId && child.spanId != contexts[0].spanId)
  }

  @Test(arguments: [
    "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", String(repeating: "0", count: 55),
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-extra",
    "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01", String(repeating: "ü", count: 100_000),
  ])
  func `what is no traceparent is none`(text: String) { #expect(SdkSpanContext(traceparent: text) == nil) }

  @Test func `a traceparent of a later version is read as far as it is known, with its flags`() throws {
    let context = try #require(
      SdkSpanContext(traceparent: "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-more"))
    #expect(context.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
    #expect(SdkSpanContext(childOf: context).traceparent.hasSuffix("-00"))
  }
}
