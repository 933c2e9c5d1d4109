import Foundation

/// What a backup holds: written last, so that a backup without it is none.
public struct BackupManifest: Codable, Sendable, Equatable {
  public struct File: Codable, Sendable, Equatable {
    /// Below the data directory, with `/` between names.
    public var path: String
    public var size: Int64
    /// In lower-case hexadecimal digits.
    public var sha256: String
    /// Of the file that was copied, in nanoseconds since 1970: with its size, by which the next backup knows it again.
    var modified: Int64
  }

  static let name = "backup.json"
  static let current = 1
  /// A backup has as many files as its collector: packs of some megabytes, symbols, segments.
  private static let longest = 64 << 20

  var version = current
  /// Of the collector that made it.
  public var collector: String
  /// When the index was read; milliseconds since 1970. What came later may be missing.
  public var createdAt: Int64
  public var sessions: Int
  public var events: Int
  public var files: [File]

  public var bytes: Int64 { files.reduce(0) { $0 + $1.size } }

  /// - Throws: ``BackupError``.
  init(reading directory: URL) throws {
    let file = directory.appending(path: Self.name)
    guard let handle = try? FileHandle(forReadingFrom: file) else {
      throw BackupError("\(directory.path) is no whole backup: it has no \(Self.name)")
    }
    defer { try? handle.close() }
    let data = try handle.read(upToCount: Self.longest + 1) ?? Data()
    guard data.count <= Self.longest, let manifest = try? JSONDecoder().decode(Self.self, from: data) else {
      throw BackupError("\(file.path) is damaged, or it is something else: take another backup")
    }
    guard manifest.version <= Self.current else {
      throw BackupError("a newer collector (\(manifest.collector)) made \(directory.path): update this one")
    }
    self = manifest
    var known: Set<String> = []
    for file in files where !Self.isInside(file.path) || file.size < 0 || !known.insert(file.path).inserted {
      throw BackupError("\(directory.path) names a file that no backup has: \(file.path.prefix(200))")
    }
  }

  init(collector: String, createdAt: Int64, sessions: Int, events: Int, files: [File]) {
    (self.collector, self.createdAt, self.sessions, self.events) = (collector, createdAt, sessions, events)
    self.files = files
  }

  func write(to directory: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try DurableFile.write(try encoder.encode(self), to: directory.appending(path: Self.name).path)
  }

  /// A name below a directory, and of nothing else: backups can come from anywhere.
  private static func isInside(_ path: String) -> Bool {
    path.utf8.count <= 1000 && !path.hasControlCharacters
      && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
  }
}

/// Why a backup cannot be made, read or restored, in words for people.
public struct BackupError: Error, CustomStringConvertible, Sendable {
  public let description: String

  init(_ description: String) { self.description = description }
}
