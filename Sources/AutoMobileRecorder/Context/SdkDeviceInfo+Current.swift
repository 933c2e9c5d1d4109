import Foundation

extension SdkDeviceInfo {
  /// The device that this process runs on.
  package static let current = SdkDeviceInfo(
    model: machine(), manufacturer: manufacturer, osVersion: osVersion(), systemName: systemName)

  #if os(iOS)
  private static let systemName = "iOS"
  #elseif os(macOS)
  private static let systemName = "macOS"
  #else
  private static let systemName = kernel { $0.sysname }
  #endif

  #if canImport(Darwin)
  private static let manufacturer = "Apple"
  #else
  private static let manufacturer = "unknown"
  #endif

  private static func osVersion() -> String {
    #if canImport(Darwin)
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    #else
    return kernel { $0.release }
    #endif
  }

  /// The hardware's name, for example `iPhone16,1`; in a simulator the one it stands for.
  private static func machine() -> String {
    #if targetEnvironment(simulator)
    if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
    #endif
    return kernel { $0.machine }
  }

  /// What the kernel says of itself: C strings that lie in tuples.
  private static func kernel(_ field: (utsname) -> some Any) -> String {
    var system = utsname()
    guard uname(&system) == 0 else { return "unknown" }
    return withUnsafeBytes(of: field(system)) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
