import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkContextTests {
  @Test func `a new context is empty`() {
    let empty = SdkContextSnapshot(sessionId: nil, userId: nil, appVersion: nil, tags: [:])
    #expect(SdkContext().snapshot() == empty)
  }

  @Test func `a snapshot holds what was set and does not change afterwards`() {
    let context = SdkContext()
    context.sessionId = "s"
    context.userId = "u"
    context.appVersion = "1.2"
    context.setTag("plan", value: "free")
    context.setTag("plan", value: "paid")
    context.setTag("shard", value: "7")
    context.removeTag("shard")
    let snapshot = context.snapshot()
    context.clearTags()
    context.userId = nil
    #expect(
      snapshot == SdkContextSnapshot(sessionId: "s", userId: "u", appVersion: "1.2", tags: ["plan": "paid"]))
    #expect(context.snapshot().tags.isEmpty)
    #expect(context.userId == nil)
    context.reset()
    #expect(context.snapshot() == SdkContext().snapshot())
  }

  @Test func `a snapshot survives coding`() throws {
    let snapshot = SdkContextSnapshot(sessionId: "s", userId: nil, appVersion: "1", tags: ["a": "\u{0}\"b"])
    let data = try JSONEncoder().encode(snapshot)
    #expect(try JSONDecoder().decode(SdkContextSnapshot.self, from: data) == snapshot)
  }

  @Test func `who watches a context hears of changes only, and may use the context in the call`() {
    let seen = Locked<[String?]>([])
    let context = SdkContext(onChange: { context in
      let user = context.userId
      seen.withLock { $0.append(user) }
    })
    context.userId = "a"
    context.userId = "a"
    context.removeTag("absent")
    context.userId = "b"
    #expect(seen.withLock { $0 } == ["a", "b"])
  }
}
