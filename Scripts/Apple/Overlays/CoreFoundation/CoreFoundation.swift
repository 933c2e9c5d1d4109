// Core Foundation as far as the SDK calls it. Its containers are those of Foundation: "toll-free bridged" in Apple's words, and here
// one type, so that an `as` between them is not asked for.
@_exported import _FoundationCore

/// Documentation: *CFTypeRef*. iOS 2.0.
public typealias CFTypeRef = AnyObject
/// Documentation: *CFTypeID*. iOS 2.0.
public typealias CFTypeID = UInt
/// Documentation: *CFString*. iOS 2.0.
public typealias CFString = NSString
/// Documentation: *CFData*. iOS 2.0.
public typealias CFData = NSData
/// Documentation: *CFArray*. iOS 2.0.
public typealias CFArray = NSArray
/// Documentation: *CFDictionary*. iOS 2.0.
public typealias CFDictionary = NSDictionary
/// Documentation: *CFBoolean*. iOS 2.0.
public typealias CFBoolean = NSNumber

/// Documentation: *CFGetTypeID(_:)*. iOS 2.0.
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }
/// Documentation: *CFBooleanGetTypeID()*. iOS 2.0.
public func CFBooleanGetTypeID() -> CFTypeID { fatalError() }

/// Documentation: *CFRunLoop*. iOS 2.0.
public class CFRunLoop: NSObject {}
/// Documentation: *CFRunLoopMode*. iOS 2.0.
public struct CFRunLoopMode: RawRepresentable, Hashable, @unchecked Sendable {
  public var rawValue: CFString
  public init(rawValue: CFString) { fatalError() }
  /// Documentation: *init(_:)*. iOS 2.0.
  public init(_ rawValue: CFString) { fatalError() }
  /// Documentation: *commonModes*. iOS 2.0.
  public static let commonModes: CFRunLoopMode! = nil
  /// Documentation: *defaultMode*. iOS 2.0.
  public static let defaultMode: CFRunLoopMode! = nil
}
/// Documentation: *CFRunLoopGetCurrent()*. iOS 2.0.
public func CFRunLoopGetCurrent() -> CFRunLoop! { fatalError() }
/// Documentation: *CFRunLoopGetMain()*. iOS 2.0.
public func CFRunLoopGetMain() -> CFRunLoop! { fatalError() }
/// Documentation: *CFRunLoopCopyCurrentMode(_:)*. iOS 2.0.
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode! { fatalError() }
/// Documentation: *CFRunLoopPerformBlock(_:_:_:)*. iOS 4.0.
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: CFTypeRef!, _ block: (() -> Void)!) { fatalError() }
/// Documentation: *CFRunLoopWakeUp(_:)*. iOS 2.0.
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { fatalError() }

/// Documentation: *CFIndex*. iOS 2.0.
public typealias CFIndex = Int
/// Documentation: *CFOptionFlags*. iOS 2.0.
public typealias CFOptionFlags = UInt
/// Documentation: *CFAllocator*. iOS 2.0.
public class CFAllocator: NSObject {}
/// Documentation: *CFRunLoopObserver*. iOS 2.0.
public class CFRunLoopObserver: NSObject {}
/// Documentation: *CFRunLoopActivity*. iOS 2.0.
public struct CFRunLoopActivity: OptionSet, Sendable {
  public var rawValue: CFOptionFlags
  public init(rawValue: CFOptionFlags) { fatalError() }
  /// Documentation: *beforeWaiting*. iOS 2.0.
  public static var beforeWaiting: CFRunLoopActivity { fatalError() }
}
/// Documentation: *CFRunLoopObserverCreateWithHandler(_:_:_:_:_:)*. iOS 5.0.
public func CFRunLoopObserverCreateWithHandler(
  _ allocator: CFAllocator!, _ activities: CFOptionFlags, _ repeats: Bool, _ order: CFIndex,
  _ block: ((CFRunLoopObserver?, CFRunLoopActivity) -> Void)!
) -> CFRunLoopObserver! { fatalError() }
/// Documentation: *CFRunLoopAddObserver(_:_:_:)*. iOS 2.0.
public func CFRunLoopAddObserver(_ rl: CFRunLoop!, _ observer: CFRunLoopObserver!, _ mode: CFRunLoopMode!) { fatalError() }
