import Foundation

/// Where the collector keeps what it received, unless told otherwise.
enum DataDirectory {
  /// macOS: `~/Library/Application Support/AutoMobile`; elsewhere `$XDG_DATA_HOME/automobile`, or `~/.local/share/automobile`.
  static var standard: URL {
    #if os(macOS)
    return URL.applicationSupportDirectory.appending(path: "AutoMobile")
    #else
    let environment = ProcessInfo.processInfo.environment
    if let base = environment["XDG_DATA_HOME"], base.hasPrefix("/") {
      return URL(filePath: base).appending(path: "automobile")
    }
    return URL(filePath: environment["HOME"] ?? "/var/lib").appending(path: ".local/share/automobile")
    #endif
  }
}
