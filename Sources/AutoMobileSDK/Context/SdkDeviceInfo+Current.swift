import Foundation

extension SdkDeviceInfo {
  /// The device that this process runs on.
  static let current = SdkDeviceInfo(
    model: machine(), manufacturer: manufacturer, osVersion: osVersion(), systemName: systemName)

  #if os(iOS)
  private static let systemName = "iOS"
  #elseif os(macOS)
  private static let systemName = "macOS"
  #elseif os(tvOS)
  private static let systemName = "tvOS"
  #elseif os(watchOS)
  private static let systemName = "watchOS"
  #elseif os(visionOS)
  private static let systemName = "visionOS"
  #elseif os(Linux)
  private static let systemName = "Linux"
  #else
  private static let systemName = "unknown"
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
    var system = utsname()
    return uname(&system) == 0 ? text(system.release) : "unknown"
    #endif
  }

  /// The hardware's name, for example `iPhone16,1`; in a simulator the one it stands for.
  private static func machine() -> String {
    #if targetEnvironment(simulator)
    if let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"] { return simulated }
    #endif
    var system = utsname()
    guard uname(&system) == 0 else { return "unknown" }
    return text(system.machine)
  }

  /// A C string that lies in a tuple.
  private static func text(_ characters: some Any) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
