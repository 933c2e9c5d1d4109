import AllocationCounter
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// Exact counts of heap allocations, of the thread that records.
@Suite(.enabled(if: allocation_counter_available(), "counts on Linux only, and without sanitizers"))
struct SdkAllocationTests {
  /// Long enough not to lie in the string itself.
  private static let destination =
    "a destination on the heap, made at run time: \(ProcessInfo.processInfo.processIdentifier)"
  private static let properties = [
    "a property's name that is long": destination, "another long name here": destination,
  ]

  private let harness: SdkHarness

  init() throws {
    // No flush in between: it would count on this thread only if it ran here, but the first of a burst nudges a queue.
    harness = try SdkHarness { $0.bufferSize = 1_000_000 }
    harness.sdk.trackEvent(name: "the first call may set something up")
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "first", source: .custom))
    harness.sdk.getEventBuffer()?.add(SdkLifecycleEvent(state: "first"))
  }

  private func allocations(_ body: () -> Void) -> Int {
    body()
    let before = allocation_counter_thread_count()
    for _ in 0..<100 { body() }
    return Int(allocation_counter_thread_count() - before)
  }

  @Test func `recording a navigation event allocates nothing`() {
    let event = SdkNavigationEvent(destination: Self.destination, source: .deepLink, arguments: Self.properties)
    #expect(allocations { harness.sdk.record(event) } == 0)
  }

  @Test func `reporting a navigation allocates nothing`() {
    let event = NavigationEvent(destination: Self.destination, source: .deepLink, arguments: Self.properties)
    #expect(allocations { harness.sdk.notifyNavigationEvent(event) } == 0)
  }

  @Test func `tracking an event with strings allocates nothing`() {
    #expect(allocations { harness.sdk.trackEvent(name: Self.destination, properties: Self.properties) } == 0)
  }

  @Test func `beginning and ending a span allocates nothing`() {
    #expect(
      allocations {
        var span = harness.sdk.beginSpan(Self.destination)
        span.end(status: .error, message: Self.destination)
      } == 0)
  }

  @Test func `a span around code allocates nothing in a task, and outside of all tasks what a task-local value takes`()
  {
    // A test runs in a task.
    #expect(allocations { harness.sdk.span(Self.destination) {} } == 0)
    let outside = Locked(0)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let count = allocations { harness.sdk.span(Self.destination) {} }
      outside.withLock { $0 = count }
      done.signal()
    }
    done.wait()
    // Two of the runtime's, each time.
    #expect(outside.withLock { $0 } == 200)
  }

  @Test func `through the existential there is one allocation at most`() throws {
    let buffer = try #require(harness.sdk.getEventBuffer())
    let event = SdkNavigationEvent(destination: Self.destination, source: .deepLink, arguments: Self.properties)
    #expect(allocations { buffer.add(event) } <= 100)
  }

  @Test(arguments: ["row", destination, "🏳️‍🌈 e\u{301} ein langer Name, der nicht im Text selbst liegt"])
  func `counting the body of a known view allocates nothing`(id: String) throws {
    let tracker = ViewBodyTracker()
    tracker.initialize(buffer: try #require(harness.sdk.getEventBuffer()))
    tracker.setEnabled(true) { FakeTimer() }
    #expect(allocations { tracker.recordBodyEvaluation(id: id, viewName: Self.destination) } == 0)
    #expect(allocations { tracker.recordDuration(id: id, durationMs: 0.2) } == 0)
  }

  @Test func `an event that is dropped allocates nothing`() {
    harness.sdk.setEnabled(false)
    let event = SdkNavigationEvent(destination: Self.destination, source: .deepLink, arguments: Self.properties)
    #expect(allocations { harness.sdk.record(event) } == 0)
    harness.sdk.shutdown()
    #expect(allocations { harness.sdk.record(event) } == 0)
  }
}
