import AutoMobileSupport
import Foundation

/// Finds the databases below some directories.
///
/// Links are followed to files that lie below these directories, too, and to no others; a file that can be reached in
/// several ways is found once. Files are looked at and never opened.
struct DatabaseDiscovery: Sendable {
  let searchPaths: [String]
  /// How deep directories are looked into, how many entries are looked at, and how many databases are told.
  var maximumDepth = 12
  var maximumEntries = 50_000
  var maximumDatabases = 500

  static let extensions: Set<String> = ["sqlite", "db", "sqlite3"]

  /// By name, then by path.
  func databases() -> [DatabaseDescriptor] {
    // Application Support lies in Library: what lies in another one is found there.
    var roots: [String] = []
    for root in searchPaths.compactMap(DatabaseFile.realPath).ordered()
    where !roots.contains(where: { root.isBelow($0) }) {
      roots.append(root)
    }
    var found: [DatabaseFile.Identity: DatabaseDescriptor] = [:]
    var entries = 0
    var pending = roots.map { (path: $0, depth: 0) }
    while let (directory, depth) = pending.popLast() {
      for name in Self.names(in: directory) {
        entries += 1
        guard entries <= maximumEntries, found.count < maximumDatabases else { return Self.inOrder(found) }
        let path = directory + "/" + name
        var facts = stat()
        guard lstat(path, &facts) == 0 else { continue }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: if depth < maximumDepth { pending.append((path, depth + 1)) }
        case S_IFREG, S_IFLNK:
          guard Self.isDatabase(name), let file = try? DatabaseFile(path),
            roots.contains(where: { file.path.isBelow($0) }), found[file.identity] == nil
          else { continue }
          found[file.identity] = DatabaseDescriptor(name: name, path: file.path, sizeBytes: file.sizeBytes)
        default: continue
        }
      }
    }
    return Self.inOrder(found)
  }

  private static func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).ordered()
  }

  private static func isDatabase(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    return extensions.contains(name[name.index(after: dot)...].lowercased())
  }

  private static func inOrder(_ found: [DatabaseFile.Identity: DatabaseDescriptor]) -> [DatabaseDescriptor] {
    found.values.ordered { ($0.name, $0.path) < ($1.name, $1.path) }
  }

  /// Documents, Library and Application Support of an app; of a program without a container only what is its own.
  static var standardPaths: [String] {
    #if os(macOS) || targetEnvironment(macCatalyst)
    // Without a sandbox these directories are the person's, not the app's.
    guard ProcessInfo.processInfo.environment["APP_SANDBOX_CONTAINER_ID"] != nil else {
      guard let support = paths(.applicationSupportDirectory).first, let bundle = Bundle.main.bundleIdentifier
      else { return [] }
      return [support + "/" + bundle]
    }
    #endif
    #if canImport(Darwin)
    return [.documentDirectory, .libraryDirectory, .applicationSupportDirectory].flatMap(paths)
    #else
    return paths(.applicationSupportDirectory).map { $0 + "/" + ProcessInfo.processInfo.processName }
    #endif
  }

  private static func paths(_ directory: FileManager.SearchPathDirectory) -> [String] {
    FileManager.default.urls(for: directory, in: .userDomainMask).map(\.path)
  }
}

extension String {
  /// Both without symbolic links.
  fileprivate func isBelow(_ directory: String) -> Bool {
    self == directory || hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
  }
}
