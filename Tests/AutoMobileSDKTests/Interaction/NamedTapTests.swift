import AutoMobileSupport
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// A18: taps on what the app has given a name, of which the window may have told before.
@Suite struct NamedTapTests {
  private let harness: SdkHarness
  private let tracker: AutoMobileInteractionTracker
  private let time = Locked<Int64>(1_000_000)

  init() throws {
    harness = try SdkHarness()
    let time = time
    tracker = AutoMobileInteractionTracker {
      time.withLock { $0 }
    } after: { _, _ in
    }
    tracker.start(try #require(harness.sdk.runtime).buffer, currentScreen: nil)
    tracker.setEnabled(true)
  }

  private func tap(_ target: TapTarget) { tracker.recordTap(at: ScreenPoint(x: 1, y: 2), target) }
  private func name(_ name: String) { tracker.recordTap(on: name, at: ScreenPoint(x: 1, y: 2)) }
  private func pass(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  private func events() throws -> [String] {
    try harness.recorded().compactMap { $0.event as? SdkInteractionEvent }.map {
      [$0.interactionType, $0.properties["accessibilityIdentifier"]].compactMap { $0 }.joined(separator: " ")
    }
  }

  @Test func `a tap on a view that draws by itself gets its name, once`() throws {
    tap(TapTarget(viewType: "_UIHostingView"))
    name("pay")
    name("row")
    #expect(try events() == ["tap", "tap_target pay"])
  }

  @Test func `a touch that waited for a busy main thread is one tap`() throws {
    let touched = time.withLock { $0 }
    pass(700)
    tracker.recordTap(at: ScreenPoint(x: 1, y: 2), TapTarget(viewType: "_UIHostingView"), time: touched)
    name("pay")
    // The next one is another one, though its touch came right after.
    pass(500)
    tracker.recordTap(at: ScreenPoint(x: 1, y: 2), TapTarget(isInteractive: true), time: touched + 150)
    #expect(try events() == ["tap", "tap_target pay", "tap"])
  }

  @Test func `where no window has told, the name is of the tap itself`() throws {
    name("pay")
    pass(99)
    name("pay")
    // Slower than what is called rage.
    pass(600)
    tap(TapTarget(viewType: "UIButton", isInteractive: true))
    name("pay")
    pass(600)
    tap(TapTarget(accessibilityIdentifier: "known"))
    name("pay")
    #expect(try events() == ["tap pay", "tap", "tap known"])
    tracker.setEnabled(false)
    pass(1000)
    name("pay")
    #expect(try events().count == 3)
  }
}
