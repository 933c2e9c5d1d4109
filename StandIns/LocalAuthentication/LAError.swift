import Foundation

/// Documentation: *NSErrorPointer*. iOS 8.0.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Documentation: *LAErrorDomain*. iOS 8.0.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Documentation: *LAError*. iOS 8.0.
public struct LAError: Error, Hashable, Sendable {
  /// Documentation: *code*. iOS 8.0.
  public let code: Code

  /// Documentation: *init(_:userInfo:)*. iOS 8.0.
  public init(_ code: Code) { self.code = code }

  /// Documentation: *LAError.Code*. iOS 8.0.
  public enum Code: Int, Sendable {
    case authenticationFailed = -1
    case userCancel = -2
    case passcodeNotSet = -5
    case biometryNotAvailable = -6
    case biometryNotEnrolled = -7
    case biometryLockout = -8
  }
}
