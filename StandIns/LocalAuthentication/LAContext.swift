import Dispatch
import Foundation

/// Documentation: *LAContext*. iOS 8.0.
open class LAContext: NSObject {
  /// The person and the device, which every context has to do with.
  nonisolated(unsafe) static var simulated = Simulated()
  static let lock = NSLock()
  private static let queue = DispatchQueue(label: "com.apple.LocalAuthentication")

  /// What `simulate…` has set.
  struct Simulated {
    var obstacle: LAError.Code? = .biometryNotEnrolled
    var answer: LAError.Code?
    var evaluations = 0
  }

  /// Documentation: *canEvaluatePolicy(_:error:)*. iOS 8.0.
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    guard let obstacle = Self.simulated.obstacle else { return true }
    error?.pointee = Self.error(obstacle)
    return false
  }

  /// Documentation: *evaluatePolicy(_:localizedReason:reply:)*. iOS 8.0.
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    Self.lock.lock()
    defer { Self.lock.unlock() }
    Self.simulated.evaluations += 1
    let failure = Self.simulated.obstacle ?? Self.simulated.answer
    Self.queue.async { reply(failure == nil, failure.map(Self.error)) }
  }

  private static func error(_ code: LAError.Code) -> NSError { NSError(domain: LAErrorDomain, code: code.rawValue) }
}

extension LAContext {
  /// Documentation: *evaluatePolicy(_:localizedReason:reply:)*. iOS 8.0.
  ///
  /// The form that Swift derives from the one with a closure, which it calls.
  public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
        continuation.resume(with: error.map(Result.failure) ?? .success(success))
      }
    }
  }
}

/// Documentation: *LAPolicy*. iOS 8.0.
public enum LAPolicy: Int, Sendable {
  case deviceOwnerAuthenticationWithBiometrics = 1
  case deviceOwnerAuthentication = 2
}
