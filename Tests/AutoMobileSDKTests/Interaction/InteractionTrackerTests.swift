import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileInterface
@testable import AutoMobileRecorder

/// A18: taps, as the app or the windows report them.
@Suite struct InteractionTrackerTests {
  private let harness: SdkHarness
  private let tracker: AutoMobileInteractionTracker
  private let time = Locked<Int64>(1_000_000)
  private let later = Locked<[@Sendable () -> Void]>([])

  init() throws {
    harness = try SdkHarness()
    let (time, later) = (time, later)
    tracker = AutoMobileInteractionTracker {
      time.withLock { $0 }
    } after: { milliseconds, body in
      #expect(milliseconds == 400)
      later.withLock { $0.append(body) }
    }
    let runtime = try #require(harness.sdk.runtime)
    tracker.start(runtime.buffer, currentScreen: harness.sdk.currentScreen)
    tracker.setEnabled(true)
  }

  private func pass(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  /// 400 ms pass for every tap that waits.
  private func settle() {
    let waiting = later.withLock { later in
      defer { later = [] }
      return later
    }
    waiting.forEach { $0() }
  }

  private func events() throws -> [SdkInteractionEvent] {
    try harness.recorded().compactMap { $0.event as? SdkInteractionEvent }
  }

  private func types() throws -> [String] { try events().map(\.interactionType) }

  private func tap(_ x: Double = 10, _ y: Double = 20, isInteractive: Bool? = nil) {
    tracker.recordTap(at: ScreenPoint(x: x, y: y), TapTarget(viewType: "View", isInteractive: isInteractive))
  }

  @Test func `A18: a tap is an interaction event, with what was hit, and a breadcrumb of category tap`() throws {
    tracker.recordTap(
      x: 12.345, y: 200, accessibilityLabel: "Buy", accessibilityIdentifier: "buy-button", viewType: "UIButton",
      text: "Buy now")
    let event = try #require(try events().first)
    #expect(event.interactionType == "tap")
    #expect(
      event.properties == [
        "x": "12.3", "y": "200.0", "accessibilityLabel": "Buy", "accessibilityIdentifier": "buy-button",
        "viewType": "UIButton", "text": "Buy now",
      ])
    let breadcrumb = try #require(harness.sdk.breadcrumbs().last)
    #expect(breadcrumb.category == .tap && breadcrumb.message == "Buy")
  }

  @Test func `A18: off until it is enabled, also through the shared one`() throws {
    #expect(!AutoMobileInteractionTracker.shared.isEnabled)
    let fresh = AutoMobileInteractionTracker()
    fresh.initialize(bundleId: "com.example.test", buffer: try #require(harness.sdk.getEventBuffer()))
    fresh.recordTap(x: 1, y: 1)
    #expect(try events().isEmpty)
    fresh.setEnabled(true)
    fresh.recordTap(x: 1, y: 1)
    #expect(try events().count == 1)
    fresh.setEnabled(false)
    #expect(!fresh.isEnabled)
    fresh.recordTap(x: 1, y: 1)
    #expect(try events().count == 1)
  }

  @Test func `A18: a second tap within 100 ms is the first one again`() throws {
    #expect(AutoMobileInteractionTracker.tapDebounceMs == 100)
    tap()
    pass(99)
    tap()
    pass(1)
    tap()
    #expect(try types() == ["tap", "tap"])
  }

  @Test func `A18: empty texts are left out`() throws {
    tracker.recordTap(
      x: 0, y: -0.04, accessibilityLabel: "", accessibilityIdentifier: nil, viewType: "", text: "")
    #expect(try events().first?.properties == ["x": "0.0", "y": "0.0"])
  }

  @Test func `without a buffer nothing happens, and after a reset neither`() throws {
    let alone = AutoMobileInteractionTracker()
    alone.setEnabled(true)
    alone.recordTap(x: 1, y: 1)
    tracker.reset()
    tracker.setEnabled(true)
    tracker.recordTap(x: 1, y: 1)
    #expect(try events().isEmpty)
  }

  @Test(
    "A18: hostile texts are bounded and stay whole",
    arguments: [
      String(repeating: "a", count: 1 << 20), String(repeating: "👩‍👩‍👧‍👦", count: 50_000),
      String(repeating: "\0", count: 5000),
      "a\0b", "\u{202E}\u{FFFD}\"\\", String(repeating: "é", count: 127) + "€",
      String(repeating: "e\u{301}", count: 9000),
    ])
  func hostile(text: String) throws {
    tracker.recordTap(
      x: .nan, y: -.infinity, accessibilityLabel: text, accessibilityIdentifier: text, viewType: text, text: text)
    let properties = try #require(try events().first).properties
    #expect(properties["x"] == "0.0" && properties["y"] == "0.0")
    for key in ["accessibilityLabel", "accessibilityIdentifier", "viewType", "text"] {
      let told = try #require(properties[key])
      #expect(told.utf8.count <= TapTarget.maximumLength + 3)
      #expect(text.utf8.count <= TapTarget.maximumLength ? told == text : told.hasSuffix("…"))
      #expect(text.utf8.starts(with: told.utf8.dropLast(told == text ? 0 : 3)))
    }
  }

  // MARK: Rage taps

  @Test func `A18: three taps within a second and 50 points are a rage tap, told once`() throws {
    for _ in 0..<5 {
      tap(100, 100)
      pass(150)
    }
    #expect(try types() == ["tap", "tap", "tap", "rage_tap", "tap", "tap"])
    #expect(try events()[3].properties["taps"] == "3")
    #expect(try events()[3].properties["viewType"] == "View")
    pass(2000)
    for _ in 0..<3 {
      tap(100, 100)
      pass(150)
    }
    #expect(try types().filter { $0 == "rage_tap" }.count == 2)
  }

  @Test func `A18: taps that are slower, or farther apart, are no rage`() throws {
    for _ in 0..<6 {
      tap(100, 100)
      pass(501)
    }
    for index in 0..<6 {
      tap(Double(index) * 51, 300)
      pass(150)
    }
    #expect(try !types().contains("rage_tap"))
  }

  // MARK: Dead taps

  @Test func `A18: a tap on nothing that is followed by nothing is dead`() throws {
    tap(30, 40, isInteractive: false)
    #expect(try types() == ["tap"])
    settle()
    #expect(try types() == ["tap", "dead_tap"])
    #expect(try events()[1].properties == ["x": "30.0", "y": "40.0", "viewType": "View"])
    settle()
    #expect(try types().count == 2)
  }

  @Test func `A18: a tap on something interactive, or on something that nobody knows, is never dead`() throws {
    tap(isInteractive: true)
    pass(200)
    tap(isInteractive: nil)
    settle()
    #expect(try types() == ["tap", "tap"])
  }

  @Test func `A18: navigation, to the same screen too, keyboard and input are answers`() throws {
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "menu", source: .custom))
    tap(isInteractive: false)
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "menu", source: .custom))
    settle()
    pass(200)
    tap(isInteractive: false)
    tracker.noteResponse()
    settle()
    #expect(try !types().contains("dead_tap"))
  }

  @Test func `A18: scrolling is no answer, and what was there before the tap is none`() throws {
    harness.sdk.notifyNavigationEvent(NavigationEvent(destination: "menu", source: .custom))
    tracker.noteResponse()
    tap(isInteractive: false)
    let start = ScreenPoint(x: 0, y: 0)
    tracker.record(
      Gesture(kind: .scroll, start: start, end: ScreenPoint(x: 0, y: 90), duration: 0.2, direction: .down),
      TapTarget())
    settle()
    #expect(try types() == ["tap", "scroll", "dead_tap"])
  }

  @Test func `a dead tap that is due after recording was switched off is not told`() throws {
    tap(isInteractive: false)
    tracker.setEnabled(false)
    settle()
    #expect(try types() == ["tap"])
  }

  @Test func `of a hundred taps at once that lead nowhere eight are remembered`() throws {
    for _ in 0..<100 {
      tap(isInteractive: false)
      pass(200)
    }
    settle()
    #expect(try types().filter { $0 == "dead_tap" }.count == DeadTaps.maximumPending)
  }

  @Test func `rules apply to rage taps and to dead taps`() throws {
    for _ in 0..<3 {
      tap(100, 100, isInteractive: true)
      pass(150)
    }
    pass(2000)
    tap(30, 40, isInteractive: false)
    settle()
    let compiled = CompiledRules([UploadRule("rage", when: .rageTap), UploadRule("dead", when: .deadTap)])
    let applied = try events().map { event in
      var names: [String] = []
      let json = try withEncodedEvent(event, contextId: 1) { Array($0) }
      json.withUnsafeBytes {
        compiled.match(EventBytes($0), type: EventTypeNumber.of(.interaction)) { names.append(compiled.rules[$0].name) }
      }
      return names
    }
    #expect(applied.flatMap { $0 } == ["rage", "dead"])
  }

  // MARK: Gestures

  @Test func `A18: other gestures are interaction events by their own names`() throws {
    for kind in Gesture.Kind.allCases {
      tracker.record(
        Gesture(kind: kind, start: ScreenPoint(x: 1, y: 2), end: ScreenPoint(x: 1, y: 2), duration: 0.1),
        TapTarget(accessibilityIdentifier: "map"))
      pass(1000)
    }
    #expect(
      try types() == ["tap", "press", "long_press", "swipe", "scroll", "pan", "pinch", "rotation"])
    #expect(try events().allSatisfy { $0.properties["accessibilityIdentifier"] == "map" })
    tracker.setEnabled(false)
    tracker.record(
      Gesture(kind: .pan, start: ScreenPoint(x: 1, y: 2), end: ScreenPoint(x: 1, y: 2), duration: 0.1), TapTarget())
    #expect(try types().count == 8)
  }
}
