// What the Swift overlay of Apple's module ObjectiveC adds to its C headers.
@_exported import ObjectiveC

/// Documentation: *Selector*. iOS 8.0.
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable, Sendable {
  var pointer: UInt
  /// Documentation: *init(_:)*. iOS 8.0.
  public init(_ str: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}

/// Documentation: *ObjCBool*. iOS 8.0.
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
  var value: Bool
  /// Documentation: *init(_:)*. iOS 8.0.
  public init(_ value: Bool) { self.value = value }
  public init(booleanLiteral value: Bool) { self.value = value }
  /// Documentation: *boolValue*. iOS 8.0.
  public var boolValue: Bool { value }
}

public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }

/// Documentation: *NSObjectProtocol*. iOS 2.0. What it requires, NSObject has.
@objc public protocol NSObjectProtocol {}

extension NSObjectProtocol {
  /// Documentation: *isEqual(_:)*. iOS 2.0.
  public func isEqual(_ object: Any?) -> Bool { false }
  /// Documentation: *responds(to:)*. iOS 2.0.
  public func responds(to aSelector: Selector!) -> Bool { false }
  /// Documentation: *perform(_:)*. iOS 2.0.
  public func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { nil }
}

/// Documentation: *NSObject*. iOS 2.0.
@objc(AMNSObject) open class NSObject: ObjectiveCRoot, NSObjectProtocol, Equatable, Hashable {
  /// Documentation: *init()*. iOS 2.0.
  public override init() { super.init() }
  /// Documentation: *copy()*. iOS 2.0.
  open func copy() -> Any { self }
  /// Documentation: *mutableCopy()*. iOS 2.0.
  open func mutableCopy() -> Any { self }
  /// Documentation: *isEqual(_:)*. iOS 2.0.
  open func isEqual(_ object: Any?) -> Bool { false }
  /// Documentation: *hash*. iOS 2.0.
  open var hash: Int { 0 }
  /// Documentation: *description*. iOS 2.0.
  open var description: String { "" }
  /// Documentation: *debugDescription*. iOS 2.0.
  open var debugDescription: String { "" }
  /// Documentation: *classForCoder*. iOS 2.0.
  open var classForCoder: AnyClass { Self.self }
  /// Documentation: *responds(to:)*. iOS 2.0.
  @objc(respondsToSelector:) dynamic open func responds(to aSelector: Selector!) -> Bool { false }
  open class func responds(to aSelector: Selector!) -> Bool { false }
  /// Documentation: *forwardingTarget(for:)*. iOS 2.0.
  @objc(forwardingTargetForSelector:) dynamic open func forwardingTarget(for aSelector: Selector!) -> Any? { nil }
  /// Documentation: *perform(_:)*. iOS 2.0.
  open func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { nil }
  open class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! { nil }
  public static func == (lhs: NSObject, rhs: NSObject) -> Bool { lhs.isEqual(rhs) }
  public func hash(into hasher: inout Hasher) {}
}

/// Documentation: *autoreleasepool(invoking:)*. iOS 8.0.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
