import Foundation

/// Where the log lies: a directory that the app and its companion share.
///
/// On iOS both belong to one app group:
///
///     guard let directory = NetworkLogDirectory(appGroup: "group.com.example") else { return }
///     let log = NetworkLog(directory)
///
/// It holds the records, which the writers own and nobody else changes, the switch, which the companion writes, and how far the
/// log has been cleared.
public struct NetworkLogDirectory: Sendable, Hashable {
  public let url: URL

  public init(_ url: URL) { self.url = url }

  #if canImport(Darwin)
  /// In the container of an app group; nil when this program is no member of it.
  public init?(appGroup identifier: String) {
    guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
      return nil
    }
    url = container.appendingPathComponent("Library/Application Support/AutoMobileNetworkLog", isDirectory: true)
  }
  #endif

  var records: URL { url.appendingPathComponent("records", isDirectory: true) }
  var markFile: URL { url.appendingPathComponent("cleared.json", isDirectory: false) }
  /// There while the user has denied that anything is recorded, for processes that know nothing of it otherwise.
  var denialFile: URL { url.appendingPathComponent("denied", isDirectory: false) }
  var switchFile: URL { url.appendingPathComponent("switch.json", isDirectory: false) }
}
