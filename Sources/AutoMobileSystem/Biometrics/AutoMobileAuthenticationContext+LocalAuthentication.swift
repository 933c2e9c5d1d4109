#if canImport(LocalAuthentication) && !os(tvOS)
import AutoMobileRecorder
import Dispatch
import Foundation
import LocalAuthentication

/// An `LAContext` that asks ``AutoMobileBiometrics`` first: made in its place, it lets a test decide how an authentication ends,
/// and nothing else in the app changes.
///
///     let context = AutoMobileAuthenticationContext()
///     if try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open the safe") { … }
///
/// Without an override, and so in release builds, it is an `LAContext` and nothing more. The form that is asynchronous is the same
/// as that with a closure. An override decides ``evaluatePolicy(_:localizedReason:reply:)`` only: what the keychain asks of a
/// context is the system's.
public final class AutoMobileAuthenticationContext: LAContext {
  private let biometrics: AutoMobileBiometrics
  private static let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.biometrics", qos: .userInitiated)
  /// With these a device says beforehand that it cannot: no passcode, no biometrics, nobody enrolled, locked out.
  private static let obstacles = -8 ... -5

  public override init() {
    biometrics = .shared
    super.init()
  }

  init(biometrics: AutoMobileBiometrics) {
    self.biometrics = biometrics
    super.init()
  }

  /// With an override set: true, unless it is an error by which a device cannot authenticate anybody. Does not use it up.
  public override func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    guard let result = biometrics.pendingOverride else { return super.canEvaluatePolicy(policy, error: error) }
    guard case .error(let code, _) = result, Self.obstacles.contains(code) else { return true }
    error?.pointee = result.failure
    return false
  }

  /// Uses up the override, if one is set, and replies with it on a queue of its own; asks the system otherwise.
  public override func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    guard let result = biometrics.consumeOverride() else {
      return super.evaluatePolicy(policy, localizedReason: localizedReason, reply: reply)
    }
    Self.queue.async {
      ErrorBarrier.run(.authenticationReply) { reply(result == .success, result.failure) }
    }
  }
}

extension BiometricResult {
  /// The error that an `LAContext` would give; nil for success.
  fileprivate var failure: NSError? {
    switch self {
    case .success: nil
    case .failure: NSError(domain: LAErrorDomain, code: LAError.Code.authenticationFailed.rawValue)
    case .cancel: NSError(domain: LAErrorDomain, code: LAError.Code.userCancel.rawValue)
    case .error(let code, let message):
      NSError(domain: LAErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: message])
    }
  }
}
#endif
