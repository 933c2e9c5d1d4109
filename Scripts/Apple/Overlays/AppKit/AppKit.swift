// AppKit as far as the SDK needs it on a Mac.
@_exported import Foundation

/// Documentation: *NSApplication*. macOS 10.0.
@MainActor open class NSApplication: NSObject {
  /// Documentation: *isActive*. macOS 10.0.
  open var isActive: Bool { false }
  /// Documentation: *isHidden*. macOS 10.0.
  open var isHidden: Bool { false }
  /// Documentation: *didBecomeActiveNotification*. macOS 10.0.
  nonisolated public static let didBecomeActiveNotification = NSNotification.Name("")
  /// Documentation: *didResignActiveNotification*. macOS 10.0.
  nonisolated public static let didResignActiveNotification = NSNotification.Name("")
  /// Documentation: *didHideNotification*. macOS 10.0.
  nonisolated public static let didHideNotification = NSNotification.Name("")
  /// Documentation: *willTerminateNotification*. macOS 10.0.
  nonisolated public static let willTerminateNotification = NSNotification.Name("")
}
/// Documentation: *NSApp*. macOS 10.0.
@MainActor public var NSApp: NSApplication! { nil }

/// Documentation: *NSPasteboard*. macOS 10.0.
open class NSPasteboard: NSObject {
  /// Documentation: *general*. macOS 10.0.
  open class var general: NSPasteboard { NSPasteboard() }
  /// Documentation: *clearContents()*. macOS 10.0.
  @discardableResult open func clearContents() -> Int { 0 }
  /// Documentation: *setString(_:forType:)*. macOS 10.0.
  @discardableResult open func setString(_ string: String, forType dataType: PasteboardType) -> Bool { false }
  /// Documentation: *NSPasteboard.PasteboardType*. macOS 10.13.
  public struct PasteboardType: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Documentation: *string*. macOS 10.6.
    public static let string = PasteboardType(rawValue: "")
  }
}

/// Documentation: *NSImage*. macOS 10.0.
open class NSImage: NSObject {
  /// Documentation: *init(data:)*. macOS 10.0.
  public init?(data: Data) { nil }
}
