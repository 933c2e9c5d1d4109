import AutoMobileSDK
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Who uses the app, over launches.
@Suite struct IdentityTests {
  private let store = MemoryStore()
  private let lifecycle = ScriptedLifecycle()

  private func harness() throws -> SdkHarness {
    try SdkHarness(
      configure: { $0.trackLifecycleEvents = false },
      environment: { [store, lifecycle] in
        $0.makeStore = { store }
        $0.makeLifecycle = { lifecycle }
      })
  }

  private func carried(_ harness: SdkHarness) throws -> (user: String?, anonymous: String?) {
    harness.sdk.trackEvent(name: "look")
    let context = try #require(try harness.recorded().last).context
    return (context["userId"] as? String, context["anonymousId"] as? String)
  }

  @Test func `every launch has the anonymous id that the first one made, and the user's id`() throws {
    let anonymous: String
    do {
      let first = try harness()
      lifecycle.launch(.active)
      anonymous = try #require(first.sdk.anonymousId)
      #expect(UUID(uuidString: anonymous) != nil)
      first.sdk.setUserId("ada")
      #expect(try carried(first) == ("ada", anonymous))
    }
    let second = try harness()
    // From the first event on.
    #expect(try carried(second) == ("ada", anonymous))
    lifecycle.launch(.active)
    second.sdk.setUserId(nil)
    #expect(try carried(second) == (nil, anonymous))
    #expect(store.all[Identity.userIdKey] == nil)
  }

  @Test func `a reset forgets the user and makes another anonymous id`() throws {
    let harness = try harness()
    lifecycle.launch(.active)
    harness.sdk.setUserId("ada")
    let before = try #require(harness.sdk.anonymousId)
    harness.sdk.resetIdentity()
    let after = try #require(harness.sdk.anonymousId)
    #expect(after != before)
    #expect(try carried(harness) == (nil, after))
    #expect(store.all.filter { $0.key.contains(":identity:") } == [Identity.anonymousIdKey: after])
  }

  @Test func `before the first unlock nothing is made, and what was stored counts afterwards`() throws {
    store.set(Identity.anonymousIdKey, "A")
    store.set(Identity.userIdKey, "ada")
    store.setLocked(true)
    let harness = try harness()
    #expect(harness.sdk.anonymousId == nil)
    #expect(try carried(harness) == (nil, nil))
    store.setLocked(false)
    lifecycle.launch(.background)
    #expect(try carried(harness) == ("ada", "A"))
    #expect(store.all == [Identity.anonymousIdKey: "A", Identity.userIdKey: "ada"])
  }

  @Test func `a user who is set before the first unlock is stored afterwards`() throws {
    store.setLocked(true)
    let harness = try harness()
    harness.sdk.setUserId("grace")
    store.setLocked(false)
    lifecycle.launch(.background)
    #expect(try carried(harness).user == "grace")
    #expect(store.all[Identity.userIdKey] == "grace")
  }

  @Test func `where nobody tells of a lifecycle, the identity is there at once`() throws {
    let harness = try SdkHarness(environment: { [store] in $0.makeStore = { store } })
    #expect(harness.sdk.anonymousId == store.all[Identity.anonymousIdKey])
    #expect(harness.sdk.anonymousId != nil)
  }

  @Test func `where nothing can be stored, there is no anonymous id, and the user's is carried all the same`() throws {
    let harness = try SdkHarness()
    #expect(harness.sdk.anonymousId == nil)
    harness.sdk.setUserId("ada")
    harness.sdk.resetIdentity()
    harness.sdk.setUserId("grace")
    #expect(try carried(harness) == ("grace", nil))
  }

  @Test func `defaults keep texts, and forget them`() throws {
    let name = "automobile-test-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let store = UserDefaultsStore(defaults)
    #expect(store.string("key") == nil)
    store.set("key", "value")
    #expect(store.string("key") == "value")
    store.set("key", nil)
    #expect(store.string("key") == nil)
  }

  @Test(arguments: ["userId = nil", "reset()"])
  func `a logout by the context is kept, before the first unlock as well`(way: String) throws {
    for isLocked in [false, true] {
      store.set(Identity.anonymousIdKey, "A")
      store.set(Identity.userIdKey, "ada")
      store.setLocked(isLocked)
      let harness = try harness()
      if !isLocked { lifecycle.launch(.active) }
      let context = try #require(harness.sdk.sdkContext)
      if way == "reset()" { context.reset() } else { context.userId = nil }
      store.setLocked(false)
      lifecycle.launch(.active)
      #expect(try carried(harness).user == nil, "nothing brings them back")
      #expect(store.all[Identity.userIdKey] == nil)
      let anonymous = try #require(harness.sdk.anonymousId)
      #expect((anonymous == "A") == (way != "reset()"), "whoever comes next is not linked to them")
      #expect(try carried(harness).anonymous == anonymous && store.all[Identity.anonymousIdKey] == anonymous)
    }
  }

  @Test func `whom the app names before the first unlock is not replaced by who was there before`() throws {
    store.set(Identity.userIdKey, "ada")
    store.setLocked(true)
    let harness = try harness()
    harness.sdk.sdkContext?.userId = "bob"
    store.setLocked(false)
    lifecycle.launch(.active)
    #expect(try carried(harness).user == "bob" && store.all[Identity.userIdKey] == "bob")
  }

  @Test func `of two threads that log in and out the one that is heard last is kept`() async throws {
    let harness = try harness()
    lifecycle.launch(.active)
    let context = try #require(harness.sdk.sdkContext)
    for _ in 0..<200 {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { context.userId = "ada" }
        group.addTask { context.userId = nil }
        group.addTask { context.userId = "bob" }
      }
      #expect(store.all[Identity.userIdKey] == context.userId)
    }
  }

  @Test func `while the SDK is off another name of the installation is not kept, and the old one is gone`() async throws
  {
    let harness = try harness()
    lifecycle.launch(.active)
    let before = try #require(harness.sdk.anonymousId)
    harness.sdk.setEnabled(false)
    harness.sdk.runtime?.presence.sync {}
    harness.sdk.resetIdentity()
    #expect(store.all[Identity.anonymousIdKey] == nil)
    harness.sdk.setEnabled(true)
    harness.sdk.runtime?.presence.sync {}
    let after = try #require(harness.sdk.anonymousId)
    #expect(after != before && store.all[Identity.anonymousIdKey] == after)
    #expect(try carried(harness).anonymous == after)
  }
}
