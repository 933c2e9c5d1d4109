import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Records what people touch. Off until it is enabled.
///
///     AutoMobileInteractionTracker.shared.setEnabled(true)
///
/// In an app with UIKit, SwiftUI's windows included, taps and other gestures are then recorded by themselves, with what
/// was hit; the properties are in *The Apple side*. Elsewhere, or for what an app draws itself, there is
/// ``recordTap(x:y:accessibilityLabel:accessibilityIdentifier:viewType:text:)``. Never recorded are taps on the
/// keyboard, and the text of fields that are secure or can be edited.
///
/// Any thread.
public final class AutoMobileInteractionTracker: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state` and `enabled`.
  public static let shared = AutoMobileInteractionTracker()

  /// A tap that comes sooner after another, in milliseconds, is that other one, reported twice.
  static let tapDebounceMs = 100

  private struct State {
    /// The app has switched it on.
    var isSwitchedOn = false
    /// Who needs touches recorded besides.
    var askers: Set<ObjectIdentifier> = []
    var buffer: SdkEventBuffer?
    var currentScreen: CurrentScreen?
    var lastTap: Int64?
    /// When that was told. On a main thread that is busy, some time after the touch.
    var lastTold: Int64?
    /// The last tap was on a view that draws by itself what it holds, so that nobody can tell on what.
    var wasLastTapOpaque = false
    var rage = RageTaps()
    var dead = DeadTaps()
  }

  private let state = Locked(State())
  /// 1 while enabled. Looked at before anything else.
  private let enabled = AtomicWord()
  private let clock: @Sendable () -> Int64
  private let after: @Sendable (_ milliseconds: Int, _ body: @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - clock: milliseconds, never jumping.
  ///   - after: calls a closure later.
  init(
    clock: @escaping @Sendable () -> Int64 = Clocks.uptimeMilliseconds,
    after: @escaping @Sendable (Int, @escaping @Sendable () -> Void) -> Void = { milliseconds, body in
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
    }
  ) {
    self.clock = clock
    self.after = after
  }

  /// Where taps go from now on.
  func initialize(bundleId: String?, buffer: SdkEventBuffer) { start(buffer, currentScreen: nil) }

  func start(_ host: SubsystemHost) { start(host.buffer, currentScreen: host.currentScreen) }

  /// - Parameter currentScreen: tells whether a tap led somewhere.
  func start(_ buffer: SdkEventBuffer, currentScreen: CurrentScreen?) {
    change {
      $0.buffer = buffer
      $0.currentScreen = currentScreen
    }
  }

  /// Back to the beginning: off, and nothing is recorded.
  func reset() {
    setEnabled(false)
    change { $0 = State() }
  }

  /// Whether touches are recorded, for the app or while a replay needs them.
  public var isEnabled: Bool { enabled.value == 1 }

  /// Whether the app wants them.
  var isSwitchedOn: Bool { state.withLock { $0.isSwitchedOn } }

  /// Switches recording on or off, also before the SDK is initialized. Off is off, for a replay that is recorded as well.
  public func setEnabled(_ enabled: Bool) {
    switchTouches { state in
      state.isSwitchedOn = enabled
      if !enabled { state.askers = [] }
    }
  }

  /// Records touches for somebody who needs them, until ``stop(for:)`` or until they are switched off.
  package func start(for asker: any AnyObject & Sendable) {
    switchTouches { $0.askers.insert(ObjectIdentifier(asker)) }
  }

  package func stop(for asker: any AnyObject & Sendable) {
    switchTouches { $0.askers.remove(ObjectIdentifier(asker)) }
  }

  private func switchTouches(_ change: (inout State) -> Void) {
    // Under the lock, so that of two threads the later one has its way. It only sets a flag and posts to the main queue.
    state.withLock { state in
      change(&state)
      let isOn = state.isSwitchedOn || !state.askers.isEmpty
      guard isOn != isEnabled else { return }
      enabled.store(isOn ? 1 : 0)
      #if canImport(UIKit) && !os(watchOS)
      if self === Self.shared { TouchObserver.setEnabled(isOn) }
      #endif
    }
  }

  // MARK: Taps

  /// Records a tap, unless one has been recorded less than 100 ms ago.
  ///
  /// - Parameters:
  ///   - x: in points, in the window. Recorded with one decimal.
  ///   - y: as `x`.
  ///   - accessibilityLabel: what VoiceOver says of it.
  ///   - accessibilityIdentifier: what tests call it.
  ///   - viewType: the name of what was tapped.
  ///   - text: what is written on it. Empty texts are left out, long ones cut after 256 bytes of UTF-8.
  public func recordTap(
    x: Double, y: Double, accessibilityLabel: String? = nil, accessibilityIdentifier: String? = nil,
    viewType: String? = nil, text: String? = nil
  ) {
    guard isEnabled else { return }
    recordTap(
      at: ScreenPoint(x: x, y: y),
      TapTarget(
        accessibilityLabel: accessibilityLabel, accessibilityIdentifier: accessibilityIdentifier, viewType: viewType,
        text: text))
  }

  /// - Parameter time: of the touch, in milliseconds on the tracker's clock; nil: now.
  func recordTap(at place: ScreenPoint, _ target: TapTarget, time: Int64? = nil, details: [String: String] = [:]) {
    guard isEnabled else { return }
    let told = clock()
    let now = time ?? told
    var properties = Self.properties(place, target, details)
    let taken = state.withLock { state -> (buffer: SdkEventBuffer, isRage: Bool, pending: UInt64?)? in
      guard let buffer = state.buffer else { return nil }
      // The clock of touches is theirs: one that goes back is no reason to be silent from then on.
      let last = time == nil ? state.lastTold : state.lastTap
      if let last, now >= last, now &- last < Int64(Self.tapDebounceMs) { return nil }
      (state.lastTap, state.lastTold) = (now, told)
      // Of what is masked there is no name to come.
      state.wasLastTapOpaque =
        target.isInteractive == nil && target.accessibilityIdentifier == nil && target.coveredPlace == nil
      // Taps on keys that are masked are not told apart.
      let isRage = target.coveredPlace == nil && state.rage.note(place, at: now)
      let pending =
        target.isInteractive == false
        ? state.dead.note(properties, navigations: state.currentScreen?.changes ?? 0) : nil
      return (buffer, isRage, pending)
    }
    guard let taken else { return }
    taken.buffer.record(SdkInteractionEvent(interactionType: "tap", properties: properties))
    if taken.isRage {
      properties["taps"] = String(RageTaps.count)
      taken.buffer.record(SdkInteractionEvent(interactionType: RecordedName.rageTap, properties: properties))
    }
    guard let pending = taken.pending else { return }
    after(DeadTaps.waitMs) { [weak self] in self?.settle(pending) }
  }

  /// A tap on what the app has given a name, in a view whose window may have told of the tap before: then the name is
  /// recorded as `tap_target`, and else the tap.
  ///
  /// - Parameter covered: where it is said to have been, where it was on something masked: that has no name.
  func recordTap(on name: String, at place: ScreenPoint, covered: ScreenPoint? = nil) {
    guard isEnabled else { return }
    var target = TapTarget(accessibilityIdentifier: covered == nil ? name : nil, isInteractive: true)
    target.coveredPlace = covered
    let now = clock()
    let buffer = state.withLock { state -> SdkEventBuffer? in
      guard let last = state.lastTold, now >= last, now &- last < Int64(Self.tapDebounceMs), state.wasLastTapOpaque,
        covered == nil
      else { return nil }
      state.wasLastTapOpaque = false
      return state.buffer
    }
    guard let buffer else { return recordTap(at: place, target) }
    buffer.record(
      SdkInteractionEvent(interactionType: "tap_target", properties: Self.properties(place, target, [:])))
  }

  /// The app had its time to answer a tap.
  private func settle(_ id: UInt64) {
    let dead = state.withLock { state -> (SdkEventBuffer?, [String: String])? in
      state.dead.settle(id, navigations: state.currentScreen?.changes ?? 0).map { (state.buffer, $0) }
    }
    guard isEnabled, let (buffer, properties) = dead else { return }
    buffer?.record(SdkInteractionEvent(interactionType: RecordedName.deadTap, properties: properties))
  }

  /// The app answers: text was put in, or the keyboard came or went.
  func noteResponse() {
    guard isEnabled else { return }
    state.withLock { $0.dead.noteResponse() }
  }

  // MARK: Other gestures

  /// Records what fingers did.
  func record(_ gesture: Gesture, _ target: TapTarget) {
    guard isEnabled else { return }
    if gesture.kind == .tap {
      // Touches have the clock of the time that the device is awake, as the tracker has.
      let time = Int64(saturating: (gesture.time * 1000).rounded())
      return recordTap(at: gesture.start, target, time: time, details: gesture.details)
    }
    guard let buffer = state.withLock({ $0.buffer }) else { return }
    buffer.record(
      SdkInteractionEvent(
        interactionType: gesture.kind.rawValue,
        properties: Self.properties(
          gesture.start, target, target.coveredPlace == nil ? gesture.details : gesture.coveredDetails)))
  }

  private static func properties(
    _ place: ScreenPoint, _ target: TapTarget, _ details: [String: String]
  ) -> [String: String] {
    var properties = target.properties
    let place = target.coveredPlace ?? place
    properties["x"] = place.x.oneDecimal
    properties["y"] = place.y.oneDecimal
    properties.merge(details) { target, _ in target }
    return properties
  }

  private func change(_ body: (inout State) -> Void) {
    // What was there before is released outside the lock.
    let before = state.withLock { state in
      let before = state
      body(&state)
      return before
    }
    withExtendedLifetime(before) {}
  }
}

extension SdkEnvironment.Subsystem {
  package static func interaction(_ tracker: AutoMobileInteractionTracker) -> Self {
    Self(
      name: .interaction, start: { tracker.start($0) }, setEnabled: { enabled, _ in tracker.setEnabled(enabled) },
      isEnabled: { tracker.isSwitchedOn }, reset: { tracker.reset() })
  }
}
