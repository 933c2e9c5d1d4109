import Foundation
import Testing

@testable import AutoMobileRecorder

/// The context as the journal has it.
@Suite struct ContextRecordTests {
  @Test func `an event names the context that held when it was recorded`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: "anonymous")
    harness.sdk.setUserId("ada")
    harness.sdk.setTag("plan", value: "pro")
    harness.sdk.trackEvent(name: "known")
    harness.sdk.removeTag("plan")
    harness.sdk.trackEvent(name: "untagged")
    let contexts = try harness.recorded().map(\.context)
    #expect(contexts.map { $0["userId"] as? String } == [nil, "ada", "ada"])
    #expect(contexts.map { $0["tags"] as? [String: String] } == [[:], ["plan": "pro"], [:]])
    #expect(contexts.allSatisfy { $0["appVersion"] as? String == "1.2.3" })
    #expect(contexts.allSatisfy { $0["bundleId"] as? String == "com.example.test" })
    #expect(contexts.allSatisfy { $0["sessionId"] as? String == harness.sdk.currentSessionId() })
    #expect((contexts[0]["device"] as? [String: String])?["model"] == "Test1,1")
  }

  @Test func `while a replay runs every event names it`() throws {
    let harness = try SdkHarness()
    harness.sdk.trackEvent(name: "before")
    harness.sdk.sdkContext?.replayId = "replay-1"
    harness.sdk.trackEvent(name: "during")
    harness.sdk.sdkContext?.replayId = nil
    harness.sdk.trackEvent(name: "after")
    #expect(try harness.recorded().map { $0.context["replayId"] as? String } == [nil, "replay-1", nil])
  }

  @Test func `a change that changes nothing writes no context`() throws {
    let harness = try SdkHarness()
    harness.sdk.setUserId("ada")
    let before = try harness.contextCount()
    for _ in 0..<10 {
      harness.sdk.setUserId("ada")
      harness.sdk.removeTag("absent")
    }
    #expect(try harness.contextCount() == before)
    harness.sdk.setUserId("bob")
    #expect(try harness.contextCount() == before + 1)
  }

  @Test func `tags beyond all measure do not cost the rest of the context`() throws {
    let harness = try SdkHarness()
    harness.sdk.setUserId("ada")
    harness.sdk.setTag("huge", value: String(repeating: "x", count: 100_000))
    harness.sdk.trackEvent(name: "still here")
    let context = try #require(harness.recorded().first?.context)
    #expect(context["userId"] as? String == "ada")
    #expect(context["tags"] as? [String: String] == [:])
  }

  @Test func `of a context that is too large what fits is kept, and what does not is told`() throws {
    let harness = try SdkHarness()
    harness.sdk.setUserId("ada")
    harness.sdk.setTag("plan", value: "pro")
    harness.sdk.setTag("huge", value: String(repeating: "x", count: 40_000))
    for number in 0..<400 { harness.sdk.setTag("tag \(number)", value: String(repeating: "\u{1}", count: 20)) }
    harness.sdk.trackEvent(name: "still here")
    let context = try #require(harness.recorded().last?.context)
    #expect(context["userId"] as? String == "ada")
    let tags = try #require(context["tags"] as? [String: String])
    #expect(tags["plan"] == "pro" && tags["huge"] == nil)
    // As many as there is room for: one takes about 150 bytes here.
    #expect(tags.count > 150)
    let leftOut = harness.sdk.diagnostics.contextLeftOut
    #expect(leftOut.count == 50 && leftOut.allSatisfy { $0.hasPrefix("tags.") })
    harness.sdk.sdkContext?.clearTags()
    #expect(harness.sdk.diagnostics.contextLeftOut.isEmpty)
  }

  @Test func `who it was before is on no event after, however large the next one is`() throws {
    let harness = try SdkHarness()
    harness.sdk.setUserId("ada")
    harness.sdk.trackEvent(name: "ada's")
    harness.sdk.setUserId(String(repeating: "b", count: 100_000))
    harness.sdk.sdkContext?.sessionId = String(repeating: "s", count: 100_000)
    harness.sdk.trackEvent(name: "not ada's")
    harness.sdk.setUserId("carl")
    harness.sdk.trackEvent(name: "carl's")
    let contexts = try harness.recorded().map(\.context)
    #expect(contexts.map { $0["userId"] as? String } == ["ada", nil, "carl"])
    #expect(contexts[0]["sessionId"] is String)
    #expect(contexts[1]["sessionId"] == nil && contexts[2]["sessionId"] == nil)
    #expect(contexts.allSatisfy { $0["appVersion"] as? String == "1.2.3" })
    #expect(harness.sdk.diagnostics.contextLeftOut == ["sessionId"])
  }
}
