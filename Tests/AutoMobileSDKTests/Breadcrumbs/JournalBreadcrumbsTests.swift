import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct JournalBreadcrumbsTests {
  @Test func `events leave breadcrumbs by themselves, and the app adds its own`() throws {
    let harness = try SdkHarness()
    harness.sdk.notifyNavigationEvent(
      NavigationEvent(destination: "cart", source: .deepLink, arguments: ["id": "7"]))
    harness.sdk.record(
      SdkInteractionEvent(timestamp: 1500, interactionType: "tap", properties: ["accessibilityLabel": "Buy"]))
    harness.sdk.record(SdkLifecycleEvent(state: "background"))
    harness.sdk.record(SdkNetworkRequestEvent(url: "https://example.com/a", method: "GET", statusCode: 503))
    harness.sdk.record(SdkLogEvent(level: .error, tag: "db", message: "locked", filterName: "all"))
    harness.sdk.trackEvent(name: "not a breadcrumb")
    harness.sdk.addBreadcrumb("chose a plan", metadata: ["plan": "pro \"x\"\u{0}"])
    let crumbs = harness.sdk.breadcrumbs()
    #expect(crumbs.map(\.category) == [.navigation, .tap, .lifecycle, .network, .log, .custom])
    #expect(
      crumbs.map(\.message)
        == ["cart", "Buy", "background", "GET https://example.com/a", "locked", "chose a plan"])
    #expect(crumbs[0].metadata == ["id": "7", "source": "deep_link"])
    #expect(crumbs[1].timestamp == 1.5)
    #expect(crumbs[3].metadata == ["statusCode": "503"])
    #expect(crumbs[4].metadata == ["tag": "db", "level": "error"])
    #expect(crumbs[5].metadata == ["plan": "pro \"x\"\u{0}"])
    #expect(abs(crumbs[5].timestamp - Date().timeIntervalSince1970) < 60)
    // A breadcrumb is no event.
    try harness.expectBalancedLedger(recorded: 6)
  }

  @Test func `only the last ones are kept`() throws {
    let harness = try SdkHarness { $0.maxBreadcrumbs = 3 }
    for i in 0..<10 { harness.sdk.addBreadcrumb("\(i)") }
    #expect(harness.sdk.breadcrumbs().map(\.message) == ["7", "8", "9"])
  }

  @Test func `the launch before tells what it did, also when all of it was delivered`() async throws {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory, configure: { $0.maxBreadcrumbs = 5 }) { first in
      for i in 0..<20 { first.sdk.addBreadcrumb("\(i)", category: .tap) }
      first.sdk.trackEvent(name: "event")
      let journal = try #require(first.sdk.runtime).journal
      while let chunk = journal.read(journal.launch, maximumBytes: 1 << 20, maximumRecords: 500) {
        journal.acknowledge(journal.launch, upTo: chunk.to)
      }
    }
    let second = try SdkHarness(directory: directory) { $0.maxBreadcrumbs = 5 }
    #expect(second.sdk.breadcrumbs().isEmpty)
    #expect(second.sdk.previousLaunchBreadcrumbs().map(\.message) == ["15", "16", "17", "18", "19"])
  }

  @Test func `the first launch has none before it`() throws {
    #expect(try SdkHarness().sdk.previousLaunchBreadcrumbs().isEmpty)
  }

  @Test func `the trail of a launch can be exported to the documented file`() throws {
    let harness = try SdkHarness()
    harness.sdk.addBreadcrumb("a")
    let trail = BreadcrumbTrail()
    harness.sdk.breadcrumbs().forEach(trail.add)
    trail.writeToDisk(directory: harness.directory.url)
    #expect(BreadcrumbTrail.loadFromDisk(directory: harness.directory.url)?.map(\.message) == ["a"])
  }
}
