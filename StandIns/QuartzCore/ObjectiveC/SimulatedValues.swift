import Foundation

/// Properties that are asked for by name, as the Objective-C runtime finds them.
@MainActor public protocol SimulatedValues {
  func simulateValue(forKey key: String) -> Any?
}

#if !canImport(ObjectiveC)
extension NSObject {
  /// Documentation: *value(forKey:)*. iOS 2.0.
  @MainActor public func value(forKey key: String) -> Any? {
    (self as? any SimulatedValues)?.simulateValue(forKey: key)
  }
}
#endif
