@_exported import Foundation

#if !canImport(ObjectiveC)
/// Documentation: *Selector*. iOS 2.0.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// Documentation: *description*. iOS 2.0.
  public let description: String

  /// Documentation: *init(_:)*. iOS 2.0.
  public init(_ str: String) { description = str }

  /// Documentation: *init(stringLiteral:)*. iOS 2.0.
  public init(stringLiteral value: String) { description = value }
}

/// Documentation: *NSSelectorFromString(_:)*. iOS 2.0.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
#endif

/// What can be sent a message by its selector here, where there is no Objective-C runtime.
public protocol SimulatedTarget: AnyObject {
  func simulateMessage(_ selector: Selector, _ argument: Any?)
}
