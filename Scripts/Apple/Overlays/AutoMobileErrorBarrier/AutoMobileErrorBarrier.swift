// The project's own Objective-C (Sources/AutoMobileErrorBarrier/include), as the importer shows it to Swift.
@_exported import Foundation

public final class AMBarrierFailure: NSObject, Sendable {
  public var place: String { "" }
  public var name: String { "" }
  public var reason: String { "" }
  public var returnAddresses: [NSNumber] { [] }
}
public typealias AMErrorBarrierHandler = @convention(c) (AMBarrierFailure) -> Void
public func AMErrorBarrierSetHandler(_ handler: AMErrorBarrierHandler?) {}
public func AMErrorBarrierRun(_ place: UnsafePointer<CChar>, _ block: () -> Void) -> AMBarrierFailure? { nil }

open class AMBlockTarget: NSObject {
  public init(block: @escaping (Any?) -> Void) {}
  open class var action: Selector { "invoke:" }
}

public func AMReplaceGetter(_ type: AnyClass, _ getter: Selector, _ replacement: @escaping (Any, Any?) -> Any?) -> Bool { false }
public func AMRestoreGetter(_ type: AnyClass, _ getter: Selector) {}
@discardableResult
public func AMObserveObjectMethod(_ type: AnyClass, _ selector: Selector, _ observer: @escaping (Any, Any?) -> Void) -> Bool { false }
@discardableResult
public func AMObserveFlagMethod(_ type: AnyClass, _ selector: Selector, _ observer: @escaping (Any, Bool) -> Void) -> Bool { false }
public func AMStopObservingMethod(_ type: AnyClass, _ selector: Selector) {}
