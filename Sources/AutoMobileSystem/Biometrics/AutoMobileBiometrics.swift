import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// How an authentication by face or finger ends.
public enum BiometricResult: Sendable, Equatable {
  case success
  /// Somebody else's face or finger.
  case failure
  /// The person cancelled.
  case cancel
  /// - Parameters:
  ///   - code: as `LAError.Code` has it, such as -8 for a lockout.
  ///   - message: the error's description.
  case error(code: Int, message: String)
}

/// Decides how the next authentication by face or finger ends: a hook for tests.
///
///     AutoMobileBiometrics.shared.overrideResult(.success)
///
/// What is set holds for one authentication, and only for a time. `AutoMobileAuthenticationContext`, which takes the place of
/// `LAContext`, asks for it; whoever authenticates otherwise calls ``consumeOverride()``. See *Biometrics* in
/// `Documentation/AppleSide.md`.
///
/// In release builds nothing can be set, unless ``isAllowed`` says so: an app that people use must not have a way around the
/// lock. Any thread.
public final class AutoMobileBiometrics: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state`, which has a lock.
  public static let shared = AutoMobileBiometrics()

  /// Posted to `NotificationCenter.default` when a result has been set, on the thread that set it, without a `userInfo`.
  public static let overrideNotification = Notification.Name("dev.jasonpearson.automobile.sdk.BIOMETRIC_OVERRIDE")

  private struct Override {
    var result: BiometricResult
    /// On the clock; the result holds before it.
    var end: Int64
  }

  private struct State {
    var isAllowed: Bool
    var override: Override?
  }

  private let state: Locked<State>
  private let isAllowedAtFirst: Bool
  /// In milliseconds; never jumps.
  private let clock: @Sendable () -> Int64
  private let center: @Sendable () -> NotificationCenter

  init(
    isDebugBuild: Bool = DefaultEndpoint.isDebugBuild,
    clock: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds,
    center: @escaping @Sendable () -> NotificationCenter = { .default }
  ) {
    isAllowedAtFirst = isDebugBuild
    state = Locked(State(isAllowed: isDebugBuild))
    self.clock = clock
    self.center = center
  }

  /// Whether results can be set: in debug builds at first. Switching it off also forgets what is set.
  public var isAllowed: Bool {
    get { state.withLock { $0.isAllowed } }
    set {
      state.withLock {
        $0.isAllowed = newValue
        if !newValue { $0.override = nil }
      }
    }
  }

  /// Sets how the next authentication ends. Replaces what was set before.
  ///
  /// - Parameters:
  ///   - result: how it ends.
  ///   - ttlMs: for how long that holds, in milliseconds, also while the device sleeps; at 0, less, or NaN it has ended before it
  ///     begins, at infinity it never does.
  public func overrideResult(_ result: BiometricResult, ttlMs: Double = 5000) {
    let lifetime = Int64(saturating: ttlMs.rounded(.up))
    let isSet = state.withLock { state -> Bool in
      guard state.isAllowed else { return false }
      state.override = lifetime > 0 ? Override(result: result, end: clock().adding(saturating: lifetime)) : nil
      return state.override != nil
    }
    guard isSet else { return }
    ErrorBarrier.run(.postedNotification) { center().post(name: Self.overrideNotification, object: nil) }
  }

  /// Takes what is set: of several who ask, one gets it. Nil when nothing is set, or its time is over.
  public func consumeOverride() -> BiometricResult? {
    state.withLock { state in
      defer { state.override = nil }
      return current(state)
    }
  }

  /// Forgets what is set.
  public func clearOverride() { state.withLock { $0.override = nil } }

  /// Whether something is set, and its time is not over.
  public var hasOverride: Bool { pendingOverride != nil }

  /// What is set, without taking it.
  var pendingOverride: BiometricResult? { state.withLock { current($0) } }

  package func reset() { state.withLock { $0 = State(isAllowed: isAllowedAtFirst) } }

  private func current(_ state: State) -> BiometricResult? {
    guard let override = state.override, clock() < override.end else { return nil }
    return override.result
  }
}
