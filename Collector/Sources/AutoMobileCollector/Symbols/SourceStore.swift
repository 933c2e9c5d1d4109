import Foundation
import NIOConcurrencyHelpers

/// The sources of builds, in `DATA/symbols`: an archive for each build, `ID.src`; builds that came together share one.
package final class SourceStore: Sendable {
  private let directory: URL
  private let maximumBytes: Int64
  private let opened = NIOLockedValueBox(BoundedCache<String, SourceArchive>(limit: 8))

  package init(directory: URL, maximumBytes: Int64 = .max) {
    self.directory = directory
    self.maximumBytes = maximumBytes
  }

  private func file(_ id: SymbolID) -> URL { directory.appending(path: id.text + ".src") }

  /// Keeps what was received, for each of these builds in the place of what was there.
  ///
  /// - Throws: ``SourceArchive/Failure``, or what the file system says.
  package func add(_ part: URL, for builds: [SymbolID]) throws -> SourceArchive.Contents {
    let archive = try SourceArchive(part.path)
    let size = try BoundedFile(part.path).size
    let used = try usedBytes
    guard Int64(clamping: size) <= maximumBytes - min(used, maximumBytes) else {
      throw SourceArchive.Failure(
        "does not fit: \(used) of \(maximumBytes) bytes for sources are taken. Remove some: automobile symbols remove ID"
      )
    }
    for build in builds {
      let name = part.appendingPathExtension("\(build.text).part")
      try? FileManager.default.removeItem(at: name)
      guard link(part.path, name.path) == 0 else { throw SystemError("link", name.path) }
      guard rename(name.path, file(build).path) == 0 else { throw SystemError("rename", name.path) }
      // Where it was a name of the same file already, rename leaves both.
      try? FileManager.default.removeItem(at: name)
      opened.withLockedValue { $0[build.text] = nil }
    }
    return archive.contents
  }

  package func remove(_ id: SymbolID) {
    try? FileManager.default.removeItem(at: file(id))
    opened.withLockedValue { $0[id.text] = nil }
  }

  /// The archive of a build; nil when there is none, or when it is damaged.
  package func archive(_ id: SymbolID) -> SourceArchive? {
    if let archive = opened.withLockedValue({ $0[id.text] }) { return archive }
    guard let archive = try? SourceArchive(file(id).path) else { return nil }
    opened.withLockedValue { $0[id.text] = archive }
    return archive
  }

  /// What they take, each file once for all its builds.
  private var usedBytes: Int64 {
    get throws {
      var files: [UInt64: Int64] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasSuffix(".src") {
        var status = stat()
        if stat(directory.appending(path: name).path, &status) == 0 {
          files[UInt64(status.st_ino)] = Int64(status.st_size)
        }
      }
      return files.values.reduce(0, +)
    }
  }
}
