import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// The files of one session: its frames, and its journal. When it has been concluded and uploaded, all of it goes.
///
///     replay/<session id>/frames/000000000-1700000000000-key.amf
///     replay/<session id>/journal/…
struct SessionDirectory: Sendable, Hashable {
  let id: String
  let url: URL

  init(id: String, in root: URL) {
    self.id = id
    url = root.appendingPathComponent(id, isDirectory: true)
  }

  var frames: URL { url.appendingPathComponent("frames", isDirectory: true) }
  var journal: URL { url.appendingPathComponent("journal", isDirectory: true) }

  /// Those that there are, the oldest name first. Directories that no recorder made are left alone.
  static func all(in root: URL) -> [SessionDirectory] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter(isId).ordered().map { SessionDirectory(id: $0, in: root) }
  }

  /// Ids are names of directories: nothing else gets near the file system.
  static func isId(_ text: String) -> Bool {
    text.hasPrefix("replay_") && text.utf8.count <= 80
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (97...122).contains(byte) || byte == 95 || byte == 45
      }
  }

  /// A new one. Sorts by time.
  static func newId(at wall: Int64) -> String { "replay_\(max(0, wall))_\(UUID().uuidString.lowercased())" }

  /// When anything was last made or removed directly in it, in milliseconds since 1970.
  var changedAt: Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.modificationDate] as? Date).map { Int64(saturating: $0.timeIntervalSince1970 * 1000) }
  }

  /// Whether each file of the journal can be read now. Before a device has been unlocked for the first time since its start, and with
  /// too many open files, they can be listed, and not opened.
  var isReadable: Bool {
    let folder = journal.path
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return !FileManager.default.fileExists(atPath: folder)
    }
    return names.allSatisfy { name in
      do throws(StorageError) {
        try FileDescriptor(path: folder + "/" + name, flags: O_RDONLY).close()
        return true
      } catch {
        // Gone meanwhile; or a link, which nobody follows.
        return error.code == ENOENT || error.code == ELOOP
      }
    }
  }

  func make() throws {
    var attributes: [FileAttributeKey: Any] = [:]
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
    #endif
    try FileManager.default.createDirectory(at: frames, withIntermediateDirectories: true, attributes: attributes)
    #if canImport(Darwin)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    var url = url
    try? url.setResourceValues(values)
    #endif
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  func path(of file: FrameFile) -> String { frames.path + "/" + file.name }

  /// In bytes.
  func size(of file: FrameFile) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path(of: file))
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
