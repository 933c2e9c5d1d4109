import AutoMobileSupport
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder
@testable import AutoMobileSDK

/// What session replay hears of hangs.
@Suite struct FreezeObserversTests {
  private final class Heard: Sendable {
    let notices = Locked<[String]>([])
    func note(_ notice: FreezeObservers.Notice) {
      notices.withLock {
        switch notice {
        case .began(let id, _, let report): $0.append("\(id) began after \(Int(report.durationMs ?? 0))")
        case .ended(let id, let duration): $0.append("\(id) ended after \(duration ?? 0)")
        }
      }
    }
    var all: [String] { notices.withLock { $0 } }
  }

  @Test func `a freeze is told once when it begins and once when it ends`() throws {
    let harness = try SdkHarness()
    let freezes = FreezeObservers()
    let heard = Heard()
    let number = freezes.add { heard.note($0) }
    let reporter = HangReporter(
      bundleId: "b", buffer: try #require(harness.sdk.runtime).buffer, currentScreen: nil, freezes: freezes)
    let short = HangIncident(id: "short", startedAt: 0)
    reporter.hangBegan(short, lastedMs: 2000)
    reporter.hangGrew(short, lastedMs: 4900)
    reporter.hangEnded(short, durationMs: 4950)
    #expect(heard.all.isEmpty)

    let long = HangIncident(id: "long", startedAt: 0)
    for lasted in [2000, 5000, 6000, 9000] as [Int64] { reporter.hangGrew(long, lastedMs: lasted) }
    reporter.hangEnded(long, durationMs: 9100)
    #expect(heard.all == ["long began after 5000", "long ended after 9100"])
    // Both are events, one each.
    let events = try harness.recorded().compactMap { $0.event as? SdkHangEvent }
    #expect(events.map(\.report?.anr) == [false, true])

    freezes.remove(number)
    reporter.hangGrew(HangIncident(id: "unheard", startedAt: 0), lastedMs: 7000)
    #expect(heard.all.count == 2)
  }

  @Test func `a freeze that was none ends without a duration`() throws {
    let harness = try SdkHarness()
    let freezes = FreezeObservers()
    let heard = Heard()
    _ = freezes.add { heard.note($0) }
    let reporter = HangReporter(
      bundleId: "b", buffer: try #require(harness.sdk.runtime).buffer, currentScreen: nil, freezes: freezes)
    let incident = HangIncident(id: "a", startedAt: 0)
    reporter.hangGrew(incident, lastedMs: 5000)
    reporter.hangWithdrawn(incident)
    #expect(heard.all == ["a began after 5000", "a ended after 0"])
    #expect(try harness.recorded().isEmpty)
  }

  @Test func `hangs are monitored when the configuration says so, or the app`() throws {
    let hangs = AutoMobileHangs()
    #expect(hangs.hangThresholdMs == 2000 && hangs.pollIntervalMs == 500)
    #expect(!hangs.isMonitoring)
    do {
      let harness = try SdkHarness(subsystems: [.hangs(hangs)])
      #expect(hangs.isMonitoring)
      hangs.stopMonitoring()
      #expect(!hangs.isMonitoring)
      harness.sdk.reset()
    }
    do {
      let harness = try SdkHarness(subsystems: [.hangs(hangs)]) { $0.subsystems.remove(.hangs) }
      #expect(!hangs.isMonitoring)
      hangs.startMonitoring()
      hangs.startMonitoring()
      hangs.hangThresholdMs = .nan
      hangs.pollIntervalMs = -1
      #expect(hangs.isMonitoring)
      harness.sdk.reset()
    }
    #expect(!hangs.isMonitoring)
    #expect(hangs.hangThresholdMs == 2000)
  }
}
