import Foundation
import Testing

@testable import AutoMobileRecorder

struct SdkEventTests {
  @Test func `there are sixteen types, by the names of the wire`() {
    #expect(
      SdkEventType.allCases.map(\.rawValue) == [
        "navigation", "handled_exception", "crash", "hang", "network_request", "websocket_frame", "log", "lifecycle",
        "custom", "notification_action", "view_body_snapshot", "broadcast", "interaction", "storage_changed", "span",
        "session_summary",
      ])
  }

  @Test(arguments: SdkEventType.allCases) func `every event has the type that its struct stands for`(
    type: SdkEventType
  ) {
    var events = RandomEvents(seed: 1)
    #expect(events.event(of: type).eventType == type)
  }

  @Test func `an event is stamped with the time when it is made, in milliseconds`() {
    let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
    let events: [any SdkEvent] = [
      SdkNavigationEvent(destination: "home", source: .custom),
      SdkLifecycleEvent(state: "foreground"),
      SdkCustomEvent(name: "purchase"),
    ]
    let after = Int64(Date().timeIntervalSince1970 * 1000) + 1
    for event in events { #expect(event.timestamp >= before && event.timestamp <= after) }
  }

  @Test func `log levels are ordered numbers from 0 to 5`() {
    #expect(LogLevel.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    #expect(LogLevel.allCases == LogLevel.allCases.sorted())
    #expect(LogLevel.verbose < .fault)
  }

  @Test func `durations that are not finite are not kept`() {
    #expect(SdkHangEvent(durationMs: .nan, stackTrace: nil, bundleId: "").durationMs == 0)
    #expect(SdkNetworkRequestEvent(url: "", method: "", durationMs: .infinity).durationMs == nil)
    let snapshot = ViewBodySnapshot(
      id: "", viewName: nil, totalCount: 0, rollingAverage: -.infinity, averageDurationMs: .nan)
    #expect(snapshot.rollingAverage == 0)
    #expect(snapshot.averageDurationMs == nil)
  }
}
