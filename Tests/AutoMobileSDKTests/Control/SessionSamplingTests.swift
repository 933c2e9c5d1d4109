import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `Sampling of sessions` {
  private let ids = (0..<4000).map { "session \($0)" }

  @Test(arguments: [0.0, 0.01, 0.25, 0.5, 0.99, 1.0])
  func `the share of sessions is the rate`(rate: Double) {
    let share = Double(ids.count { SessionSampling.isSampled($0, rate: rate) }) / Double(ids.count)
    // Five standard deviations, and the same ids each time: it cannot fail by chance.
    #expect(abs(share - rate) <= 5 * (rate * (1 - rate) / Double(ids.count)).squareRoot() + 1e-9)
  }

  @Test func `a session that is recorded at some rate is recorded at every higher one, in every process`() {
    for id in ids {
      let rates = [0.01, 0.1, 0.5, 0.9].map { SessionSampling.isSampled(id, rate: $0) }
      #expect(rates == rates.sorted { !$0 && $1 })
    }
    #expect(abs(SessionSampling.fraction(of: "9F6C9C3B-8C5B-4B56-9A2E-4D8F5E0C1A77") - 0.7093) < 1)
    #expect(!SessionSampling.isSampled("a", rate: .nan))
  }

  @Test func `of a session that is not recorded there are crashes and breadcrumbs, and the rest is counted`() throws {
    let harness = try SdkHarness()
    let sampler = try #require(harness.sdk.runtime?.sampler)
    harness.sdk.trackEvent(name: "recorded")
    sampler.setRate(0)
    harness.sdk.trackEvent(name: "not recorded")
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "Menu", source: .custom))
    harness.sdk.addBreadcrumb("a breadcrumb")
    harness.sdk.record(
      SdkCrashEvent(
        errorDomain: "Signal", errorMessage: nil, stackTrace: "", currentScreen: nil, bundleId: "a", appVersion: nil,
        deviceInfo: .current))
    #expect(try harness.recorded().map(\.event.eventType) == [.custom, .crash])
    #expect(harness.sdk.diagnostics.dropped == ["sampledOut": 2])
    #expect(harness.sdk.breadcrumbs().map(\.message) == ["a breadcrumb"])
    try harness.expectBalancedLedger(recorded: 4)
    sampler.setRate(1)
    harness.sdk.trackEvent(name: "recorded again")
    try harness.expectBalancedLedger(recorded: 5)
  }

  @Test func `each session is decided anew, and by its id`() throws {
    let harness = try SdkHarness()
    let sampler = try #require(harness.sdk.runtime?.sampler)
    let recorder = try #require(harness.sdk.runtime?.recorder)
    sampler.setRate(0.5)
    for id in ids.prefix(100) {
      sampler.setSession(id)
      #expect(recorder.isSampledOut == !SessionSampling.isSampled(id, rate: 0.5))
    }
    sampler.setSession(nil)
    let launch = try #require(harness.sdk.runtime).journal.launch.description
    #expect(recorder.isSampledOut == !SessionSampling.isSampled(launch, rate: 0.5))
  }

  @Test func `the collector decides the rate`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.set(1, #""sampling":{"sessionRate":0}"#)
    let harness = try SdkHarness(hasControlChannel: true) { $0.endpoint = collector.url }
    #expect(await eventually { harness.sdk.runtime?.recorder.isSampledOut == true })
    #expect(harness.sdk.isEnabled)
    // The channel tells it when everybody who listens has been told.
    #expect(await eventually { harness.sdk.diagnostics.control?.sessionRate == 0 })
  }
}
