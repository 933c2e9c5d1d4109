import AllocationCounter
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Exact counts of heap allocations, of the thread that runs the test.
@Suite(.enabled(if: allocation_counter_available(), "counts on Linux only, and without sanitizers"))
struct EventEncodingAllocationTests {
  /// Literals up to 15 bytes lie in the string itself; real ones do not, so these are longer and made at run time.
  private static func text(_ index: Int) -> String { "a string on the heap, number \(index)" }

  private static let dictionary = [text(1): text(2), text(3): text(4)]

  static let events: [any SdkEvent] = [
    SdkNavigationEvent(destination: text(5), source: .swiftUINavigation, arguments: dictionary, metadata: ["a": "b"]),
    SdkLogEvent(level: .warning, tag: text(6), message: text(7) + "\n\"quoted\" \u{1F600}", filterName: text(8)),
    SdkLifecycleEvent(state: text(9), bundleId: text(10), details: dictionary),
    SdkCustomEvent(name: text(11), properties: dictionary),
    SdkInteractionEvent(interactionType: "tap", properties: dictionary),
    SdkStorageChangedEvent(
      suiteName: nil, key: text(12), newValue: text(13), valueType: "string", sequenceNumber: .max,
      previousValue: text(14)),
    SdkNetworkRequestEvent(
      url: text(15), method: "GET", requestBodySize: 0, statusCode: 200, responseHeaders: dictionary,
      durationMs: 123.45678901234567, host: text(16), path: text(17), contentType: "application/json"),
    SdkHangEvent(durationMs: .pi * 1e-7, stackTrace: text(18), bundleId: text(19)),
    SdkBroadcastEvent(action: text(20), categories: [text(21)], infoKeyTypes: dictionary),
    SdkWebSocketFrameEvent(url: text(22), direction: .sent, frameType: .binary, payloadSize: 1 << 20),
    SdkNotificationActionEvent(actionId: text(23)),
    SdkViewBodySnapshotEvent(snapshots: [
      ViewBodySnapshot(
        id: text(24), viewName: nil, totalCount: 3, rollingAverage: 59.94005994005994, averageDurationMs: 1)
    ]),
  ]

  @Test func `the counter sees an allocation`() {
    let before = allocation_counter_thread_count()
    free(malloc(100))
    #expect(allocation_counter_thread_count() - before == 1)
  }

  @Test(arguments: events.indices) func `encoding an event allocates nothing`(index: Int) throws {
    let event = Self.events[index]
    func encode() -> Int { (try? withEncodedEvent(event, contextId: 12) { $0.count }) ?? 0 }
    // The first call may set something up.
    let length = encode()
    let before = allocation_counter_thread_count()
    let again = encode()
    let allocations = allocation_counter_thread_count() - before
    #expect(allocations == 0, "\(event)")
    #expect(length == again && length > 50 && length < 1000)
  }
}
