import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct BatchObservationTests {
  private func names(_ events: [any SdkEvent]) -> [String] { events.compactMap { ($0 as? SdkCustomEvent)?.name } }

  @Test func `an observer sees the typed events of each flush, in order`() async throws {
    let harness = try SdkHarness()
    let batches = Locked<[[String]]>([])
    let observation = harness.sdk.observeBatches { events in batches.withLock { $0.append(self.names(events)) } }
    harness.sdk.trackEvent(name: "a")
    harness.sdk.trackEvent(name: "b")
    harness.sdk.flush()
    #expect(await eventually { batches.withLock { $0 } == [["a", "b"]] })
    harness.sdk.flush()
    harness.sdk.trackEvent(name: "c")
    harness.sdk.flush()
    #expect(await eventually { batches.withLock { $0 } == [["a", "b"], ["c"]] })
    observation.cancel()
  }

  @Test func `at capacity a batch comes without anybody's asking`() async throws {
    let harness = try SdkHarness { $0.bufferSize = 3 }
    let seen = Locked<[String]>([])
    let observation = harness.sdk.observeBatches { events in seen.withLock { $0 += self.names(events) } }
    for name in ["a", "b", "c"] { harness.sdk.trackEvent(name: name) }
    #expect(await eventually { seen.withLock { $0 } == ["a", "b", "c"] })
    observation.cancel()
  }

  @Test func `the timer brings a batch that is not full`() async throws {
    let harness = try SdkHarness { $0.flushIntervalMs = 77 }
    let seen = Locked<[String]>([])
    let observation = harness.sdk.observeBatches { events in seen.withLock { $0 += self.names(events) } }
    harness.sdk.trackEvent(name: "a")
    #expect(await eventually { harness.timers.withLock { $0 }.contains { $0.interval == 77 && $0.isScheduled } })
    harness.fireTimers()
    #expect(await eventually { seen.withLock { $0 } == ["a"] })
    observation.cancel()
  }

  @Test func `an observer that was added before initialization sees the first event`() async throws {
    let harness = try SdkHarness(initialized: false)
    let seen = Locked<[String]>([])
    let observation = harness.sdk.observeBatches { events in seen.withLock { $0 += self.names(events) } }
    harness.initialize()
    harness.sdk.trackEvent(name: "first")
    harness.sdk.flush()
    #expect(await eventually { seen.withLock { $0 } == ["first"] })
    observation.cancel()
  }

  @Test func `an observation ends when it is cancelled or released`() async throws {
    let harness = try SdkHarness()
    let cancelled = Locked(0)
    let released = Locked(0)
    let kept = Locked<[String]>([])
    let first = harness.sdk.observeBatches { _ in cancelled.withLock { $0 += 1 } }
    do {
      let second = harness.sdk.observeBatches { _ in released.withLock { $0 += 1 } }
      _ = second
    }
    let third = harness.sdk.observeBatches { events in kept.withLock { $0 += self.names(events) } }
    first.cancel()
    first.cancel()
    harness.sdk.trackEvent(name: "a")
    harness.sdk.flush()
    #expect(await eventually { kept.withLock { $0 } == ["a"] })
    #expect(cancelled.withLock { $0 } == 0 && released.withLock { $0 } == 0)
    third.cancel()
  }

  @Test func `an observer may record and flush in its call`() async throws {
    let harness = try SdkHarness()
    let seen = Locked<[String]>([])
    let observation = harness.sdk.observeBatches { [sdk = harness.sdk] events in
      seen.withLock { $0 += self.names(events) }
      if self.names(events) == ["a"] {
        sdk.trackEvent(name: "from the observer")
        sdk.flush()
      }
    }
    harness.sdk.trackEvent(name: "a")
    harness.sdk.flush()
    #expect(await eventually { seen.withLock { $0 } == ["a", "from the observer"] })
    observation.cancel()
  }

  @Test func `more events than a batch may have come in several, none twice`() async throws {
    let harness = try SdkHarness { $0.bufferSize = 100_000 }
    let seen = Locked<[String]>([])
    let sizes = Locked<[Int]>([])
    let observation = harness.sdk.observeBatches { events in
      seen.withLock { $0 += self.names(events) }
      sizes.withLock { $0.append(events.count) }
    }
    let expected = (0..<1200).map(String.init)
    for name in expected { harness.sdk.trackEvent(name: name) }
    harness.sdk.flush()
    #expect(await eventually { seen.withLock { $0.count } >= expected.count })
    #expect(seen.withLock { $0 } == expected)
    #expect(sizes.withLock { $0.allSatisfy { $0 <= 500 } })
    observation.cancel()
  }

  @Test func `a posted batch is the documented envelope, with each event's context in it`() async throws {
    let harness = try SdkHarness()
    let posted = Locked<[Data]>([])
    let token = harness.center.addObserver(
      forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
    ) { notification in
      guard let data = notification.userInfo?[SdkEventBroadcaster.eventBatchUserInfoKey] as? Data else { return }
      posted.withLock { $0.append(data) }
    }
    defer { harness.center.removeObserver(token) }
    harness.sdk.setUserId("ada")
    harness.sdk.trackEvent(name: "a")
    harness.sdk.setUserId("bob")
    harness.sdk.trackEvent(name: "b")
    harness.sdk.flush()
    #expect(await eventually { !posted.withLock { $0.isEmpty } })
    let batch = try JSONDecoder().decode(SdkEventBatch.self, from: posted.withLock { $0[0] })
    #expect(batch.bundleId == "com.example.test")
    #expect(batch.events.map(\.eventType) == [.custom, .custom])
    let objects = try batch.events.map {
      try #require(try JSONSerialization.jsonObject(with: $0.payload) as? [String: Any])
    }
    #expect(objects.map { ($0["context"] as? [String: Any])?["userId"] as? String } == ["ada", "bob"])
    #expect(objects.allSatisfy { $0["sessionId"] as? String == harness.sdk.currentSessionId() })
    #expect(objects.allSatisfy { $0["contextId"] == nil })
  }

  @Test func `posting can be switched off`() async throws {
    let harness = try SdkHarness { $0.postsBatchNotifications = false }
    let posted = Locked(0)
    let token = harness.center.addObserver(
      forName: SdkEventBroadcaster.eventBatchNotification, object: nil, queue: nil
    ) { _ in posted.withLock { $0 += 1 } }
    defer { harness.center.removeObserver(token) }
    let seen = Locked(0)
    let observation = harness.sdk.observeBatches { _ in seen.withLock { $0 += 1 } }
    harness.sdk.trackEvent(name: "a")
    harness.sdk.flush()
    #expect(await eventually { seen.withLock { $0 } == 1 })
    #expect(posted.withLock { $0 } == 0)
    observation.cancel()
  }

  @Test func `shutting down brings the last batch`() async throws {
    let harness = try SdkHarness()
    let seen = Locked<[String]>([])
    let observation = harness.sdk.observeBatches { events in seen.withLock { $0 += self.names(events) } }
    harness.sdk.trackEvent(name: "last")
    harness.sdk.shutdown()
    #expect(await eventually { seen.withLock { $0 } == ["last"] })
    observation.cancel()
  }
}
