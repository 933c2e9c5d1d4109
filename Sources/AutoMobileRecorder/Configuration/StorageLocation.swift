import Foundation

/// Where recordings lie until they are delivered.
public enum StorageLocation: Sendable, Equatable {
  /// `Library/Caches/automobile_events/`: the documented place. The system may empty it when the device runs out of
  /// space.
  case caches
  /// `Library/Application Support/automobile_events/`: never emptied by the system. Excluded from backup either way.
  case applicationSupport
  /// A directory of the app's choice, for example in the container of an app group. Made when it is missing.
  case directory(URL)

  /// The directory itself; nil when the system names no such place.
  func resolved(_ files: FileManager = .default) -> URL? {
    let search: FileManager.SearchPathDirectory
    switch self {
    case .directory(let url): return url
    case .caches: search = .cachesDirectory
    case .applicationSupport: search = .applicationSupportDirectory
    }
    return files.urls(for: search, in: .userDomainMask).first?
      .appendingPathComponent("automobile_events", isDirectory: true)
  }
}
