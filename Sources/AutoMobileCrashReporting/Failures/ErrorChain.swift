import Foundation

/// An error and the errors behind it: those that an `NSError` names as underlying, and those that a Swift error has
/// among its values.
enum ErrorChain {
  /// So many errors behind the first are looked at; an error may have itself behind it.
  static let maximumCount = 8
  /// So many values of a Swift error are looked at.
  private static let maximumValues = 16

  /// The errors behind `error`, the nearest first.
  static func underlying(_ error: any Error) -> [any Error] {
    var found: [any Error] = []
    var next = 0
    var current = error
    while true {
      found += direct(current).prefix(maximumCount - found.count)
      guard next < found.count, found.count < maximumCount else { return found }
      current = found[next]
      next += 1
    }
  }

  private static func direct(_ error: any Error) -> [any Error] {
    if let error = ErrorDescription.object(error) { return underlying(in: error.userInfo) }
    if let error = error as? any CustomNSError {
      let named = underlying(in: error.errorUserInfo)
      if !named.isEmpty { return named }
    }
    return values(of: error)
  }

  private static func underlying(in userInfo: [String: Any]) -> [any Error] {
    var errors: [any Error] = []
    if let error = userInfo[NSUnderlyingErrorKey] as? any Error { errors.append(error) }
    if let several = userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error] { errors += several }
    return errors
  }

  /// The errors among the properties of a struct or class, and among the values of an enum's case.
  private static func values(of error: any Error) -> [any Error] {
    var errors: [any Error] = []
    for child in Mirror(reflecting: error).children.prefix(maximumValues) {
      if let error = self.error(child.value) {
        errors.append(error)
      } else {
        // Several values of a case are one tuple; a decoding error has its cause inside its context.
        errors += Mirror(reflecting: child.value).children.prefix(maximumValues).compactMap { self.error($0.value) }
      }
    }
    return errors
  }

  private static func error(_ value: Any) -> (any Error)? {
    // On Apple platforms a string can be cast to what it is not; an error that is one needs no bridging.
    value is String ? nil : value as? any Error
  }
}
