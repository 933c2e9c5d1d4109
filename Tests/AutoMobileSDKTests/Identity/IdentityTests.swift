import Foundation
import Testing

@testable import AutoMobileSDK

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
}
