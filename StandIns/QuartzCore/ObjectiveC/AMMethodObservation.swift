// `make check-apple` has Objective-C, and declares the SDK's own.
#if !canImport(ObjectiveC)
/// The twins of the functions in `AMMethodObservation.h` of `Sources/AutoMobileErrorBarrier`, with the same names, so
/// that adapters are the same text. A stand-in whose method can be observed calls ``SimulatedMethods`` at its
/// beginning.
@discardableResult
public func AMObserveObjectMethod(
  _ type: AnyClass, _ selector: Selector, _ observer: @escaping (Any, Any?) -> Void
) -> Bool {
  SimulatedMethods.set(observer, type, selector)
}

@discardableResult
public func AMObserveFlagMethod(
  _ type: AnyClass, _ selector: Selector, _ observer: @escaping (Any, Bool) -> Void
) -> Bool {
  SimulatedMethods.set({ observer($0, $1 as? Bool ?? false) }, type, selector)
}

public func AMStopObservingMethod(_ type: AnyClass, _ selector: Selector) {
  _ = SimulatedMethods.set(nil, type, selector)
}
#endif

/// The methods that are observed.
public enum SimulatedMethods {
  private struct Method: Hashable {
    var type: ObjectIdentifier
    var selector: Selector
  }
  private static let lock = NSLock()
  nonisolated(unsafe) private static var observers: [Method: (Any, Any?) -> Void] = [:]

  static func set(_ observer: ((Any, Any?) -> Void)?, _ type: AnyClass, _ selector: Selector) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    observers[Method(type: ObjectIdentifier(type), selector: selector)] = observer
    return true
  }

  /// A method of `type` itself begins; one of a subclass that does not call its super's is never seen, as on a device.
  public static func begin(_ type: AnyClass, _ selector: Selector, _ object: Any, _ argument: Any?) {
    lock.lock()
    let observer = observers[Method(type: ObjectIdentifier(type), selector: selector)]
    lock.unlock()
    observer?(object, argument)
  }

  /// How many methods are observed.
  public static var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return observers.count
  }
}
