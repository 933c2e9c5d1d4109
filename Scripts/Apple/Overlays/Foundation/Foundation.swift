// Foundation as Apple has it: Linux's, its networking included, and what Apple's has besides.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
@_exported import _FoundationCore
@_exported import _FoundationNetworking

/// Documentation: *OSStatus*. iOS 8.0.
public typealias OSStatus = Int32

extension ProcessInfo {
  /// Documentation: *performExpiringActivity(withReason:using:)*. iOS 8.2. Not on macOS.
  @available(macOS, unavailable)
  public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
  /// Documentation: *isLowPowerModeEnabled*. iOS 9.0, macOS 12.0.
  public var isLowPowerModeEnabled: Bool { false }
  /// Documentation: *ProcessInfo.ThermalState*. iOS 11.0.
  public enum ThermalState: Int, Sendable { case nominal, fair, serious, critical }
  /// Documentation: *thermalState*. iOS 11.0.
  public var thermalState: ThermalState { .nominal }
  /// Documentation: *thermalStateDidChangeNotification*. iOS 11.0.
  public class var thermalStateDidChangeNotification: NSNotification.Name { .init("") }
  /// Documentation: *processName*. iOS 2.0.
  public var processName: String { get { "" } set {} }
}

extension NSNotification.Name {
  /// Documentation: *NSProcessInfoPowerStateDidChange*. iOS 9.0.
  public static let NSProcessInfoPowerStateDidChange = NSNotification.Name("")
}

extension FileManager {
  /// Documentation: *containerURL(forSecurityApplicationGroupIdentifier:)*. iOS 7.0.
  public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

extension Stream {
  /// Documentation: *getBoundStreams(withBufferSize:inputStream:outputStream:)*. iOS 8.0.
  public class func getBoundStreams(
    withBufferSize bufferSize: Int, inputStream: AutoreleasingUnsafeMutablePointer<InputStream?>?,
    outputStream: AutoreleasingUnsafeMutablePointer<OutputStream?>?
  ) {}
}

extension DispatchSource {
  /// Documentation: *DispatchSource.MemoryPressureEvent*. iOS 8.0.
  public struct MemoryPressureEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Documentation: *normal*. iOS 8.0.
    public static let normal = MemoryPressureEvent(rawValue: 1)
    /// Documentation: *warning*. iOS 8.0.
    public static let warning = MemoryPressureEvent(rawValue: 2)
    /// Documentation: *critical*. iOS 8.0.
    public static let critical = MemoryPressureEvent(rawValue: 4)
    /// Documentation: *all*. iOS 8.0.
    public static let all = MemoryPressureEvent(rawValue: 7)
  }
  /// Documentation: *makeMemoryPressureSource(eventMask:queue:)*. iOS 8.0.
  public class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceMemoryPressure { fatalError() }
}
/// Documentation: *DispatchSourceMemoryPressure*. iOS 8.0.
public protocol DispatchSourceMemoryPressure: AnyObject, DispatchSourceProtocol {
  var data: DispatchSource.MemoryPressureEvent { get }
  var mask: DispatchSource.MemoryPressureEvent { get }
}
