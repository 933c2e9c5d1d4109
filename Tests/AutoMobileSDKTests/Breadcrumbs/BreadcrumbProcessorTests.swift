import AutoMobileJournal
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

/// Processors see breadcrumbs: those of the app, and those that events leave.
@Suite struct BreadcrumbProcessorTests {
  private func bytes(in directory: URL) throws -> Data {
    try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
      .reduce(into: Data()) { $0.append((try? Data(contentsOf: $1)) ?? Data()) }
  }

  @Test func `a breadcrumb may be changed or left out, by one after the other`() throws {
    let harness = try SdkHarness()
    harness.sdk.addBreadcrumbProcessor { $0.category == .log ? nil : $0 }
    harness.sdk.addBreadcrumbProcessor {
      Breadcrumb(
        timestamp: $0.timestamp, category: $0.category, message: $0.message.uppercased(), metadata: $0.metadata)
    }
    harness.sdk.addBreadcrumb("a", category: .log)
    harness.sdk.addBreadcrumb("b", metadata: ["k": "v"])
    let trail = harness.sdk.breadcrumbs()
    #expect(trail.map(\.message) == ["B"] && trail.first?.metadata == ["k": "v"])
    #expect(harness.sdk.diagnostics.recorded == 0, "a breadcrumb is no event, and counted as none")
  }

  @Test func `events that are breadcrumbs as they stand are shown as such, and stay events as they are`() throws {
    let harness = try SdkHarness()
    let seen = Locked<[String]>([])
    harness.sdk.addBreadcrumbProcessor { breadcrumb in
      seen.withLock { $0.append(breadcrumb.message) }
      if breadcrumb.category == .navigation {
        return Breadcrumb(timestamp: breadcrumb.timestamp, category: .navigation, message: "a screen")
      }
      return breadcrumb.message == "unwanted" ? nil : breadcrumb
    }
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "patient/17", source: .custom))
    harness.sdk.record(SdkLifecycleEvent(state: "unwanted"))
    harness.sdk.record(SdkLifecycleEvent(state: "wanted"))
    harness.sdk.trackEvent(name: "no breadcrumb")
    #expect(seen.withLock { $0 } == ["patient/17", "unwanted", "wanted"])
    #expect(harness.sdk.breadcrumbs().map(\.message) == ["a screen", "wanted"])
    let events = try harness.recorded()
    #expect(events.map(\.kind) == [.event, .event, .eventAndBreadcrumb, .event])
    #expect((events[0].event as? SdkNavigationEvent)?.destination == "patient/17")
    try harness.expectBalancedLedger(recorded: 4)
  }

  @Test func `they see what the processors of events have left, and neither leaves a trace of a secret`() async throws {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { harness in
      harness.sdk.addEventProcessor { event in
        guard let log = event as? SdkLogEvent else { return event }
        return SdkLogEvent(level: log.level, tag: log.tag, message: "scrubbed", filterName: log.filterName)
      }
      harness.sdk.addBreadcrumbProcessor { breadcrumb in
        #expect(breadcrumb.category == .custom || breadcrumb.message == "scrubbed")
        return breadcrumb.message.contains("planted") ? nil : breadcrumb
      }
      harness.sdk.record(SdkLogEvent(level: .info, tag: "t", message: "planted in an event", filterName: "f"))
      harness.sdk.addBreadcrumb("planted in a breadcrumb")
      harness.sdk.addBreadcrumb("harmless")
    }
    #expect(try bytes(in: directory.url).range(of: Data("planted".utf8)) == nil)
    let next = try SdkHarness(directory: directory)
    #expect(
      next.sdk.previousLaunchBreadcrumbs().map(\.message) == ["scrubbed", "harmless"], "as a crash's report has them")
  }

  @Test func `an event of the app's own kind, which nobody can show them, leaves no breadcrumb`() throws {
    struct Own: SdkEvent {
      var eventType = SdkEventType.lifecycle
      var timestamp: Int64 = 12
      var note = "planted"
    }
    let harness = try SdkHarness()
    harness.sdk.addBreadcrumbProcessor { $0 }
    harness.sdk.record(Own())
    #expect(try harness.recorded().map(\.kind) == [.event])
    #expect(harness.sdk.breadcrumbs().isEmpty)
  }

  @Test func `one that is added while breadcrumbs come sees every later one`() async throws {
    let harness = try SdkHarness()
    let added = AtomicWord()
    let isDone = AtomicWord()
    Thread.detachNewThread {
      for n in 0..<20_000 { harness.sdk.addBreadcrumb(added.value == 0 ? "early \(n)" : "late \(n)") }
      isDone.store(1)
    }
    harness.sdk.addBreadcrumbProcessor { $0.message.hasPrefix("late") ? nil : $0 }
    added.store(1)
    #expect(await eventually { isDone.value == 1 })
    #expect(!harness.sdk.breadcrumbs().contains { $0.message.hasPrefix("late") })
  }
}
