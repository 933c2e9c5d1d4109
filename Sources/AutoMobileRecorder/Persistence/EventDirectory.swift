import AutoMobileJournal
import Foundation

/// A directory of ``EventFile``s. Every call blocks on the disk.
struct EventDirectory: Sendable {
  let url: URL

  /// More batches are not kept: the oldest are removed.
  static let maximumCount = 1000

  init(_ url: URL) { self.url = url }

  /// Makes the directory when it is missing.
  func create() {
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #if canImport(Darwin)
    // Readable after the first unlock, so that a launch in the background can deliver; and not worth a backup.
    try? FileManager.default.setAttributes(
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: url.path)
    var directory = url
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try? directory.setResourceValues(values)
    #endif
  }

  /// The files that are there, oldest first.
  func files() -> [EventFile] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.compactMap { EventFile(name: $0) }.sorted(by: EventFile.isOlder)
  }

  /// The names of files that were not written to their end.
  func unfinished() -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(Self.unfinishedSuffix) }.map { String($0.dropLast(Self.unfinishedSuffix.count)) }
  }

  /// Under which name a file is written.
  static func unfinished(_ name: String) -> String { name + unfinishedSuffix }

  private static let unfinishedSuffix = ".tmp"

  /// Writes beside, and renames: a file under its final name is whole.
  func write(_ data: Data, as file: EventFile) -> Bool { write(data, as: file.name) }

  func write(_ data: Data, as name: String) -> Bool {
    let temporary = path(Self.unfinished(name))
    do {
      #if canImport(Darwin)
      try data.write(to: temporary, options: .completeFileProtectionUntilFirstUserAuthentication)
      #else
      try data.write(to: temporary)
      #endif
      guard rename(temporary.path, path(name).path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      return true
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      return false
    }
  }

  enum Contents: Equatable {
    case data(Data)
    /// Whole or not, it cannot be told now.
    case unreadable
    /// It is gone.
    case missing
    /// Too large, empty, or not a file of somebody's who writes such: a link.
    case damaged
  }

  func read(_ name: String, maximumSize: Int = EventFile.maximumSize) -> Contents {
    do throws(StorageError) {
      // Follows no link, and waits for nobody at the other end of a pipe.
      let file = try FileDescriptor(path: path(name).path, flags: O_RDONLY)
      defer { file.close() }
      let size = file.size
      guard size <= maximumSize else { return .damaged }
      guard size > 0 else { return isEmptyFile(name) ? .damaged : .unreadable }
      let bytes = file.read(at: 0, count: size)
      return bytes.count == size ? .data(Data(bytes)) : .unreadable
    } catch {
      switch error.code {
      case ENOENT: return .missing
      case ELOOP: return .damaged
      default: return .unreadable
      }
    }
  }

  /// In bytes; 0 when it is gone.
  func size(of file: EventFile) -> Int {
    var status = stat()
    return lstat(path(file.name).path, &status) == 0 ? Int(clamping: status.st_size) : 0
  }

  enum Events: Equatable {
    case entries([EventFile.Entry])
    case unreadable
    case missing
    case damaged
  }

  /// What a file holds.
  func entries(_ file: EventFile) -> Events {
    switch read(file.name) {
    case .data(let data): EventFile.decode(data).map(Events.entries) ?? .damaged
    case .unreadable: .unreadable
    case .missing: .missing
    case .damaged: .damaged
    }
  }

  /// A link goes, and not what it leads to; a directory stays.
  func remove(_ name: String) { unlink(path(name).path) }

  func remove(_ file: EventFile) { remove(file.name) }

  private func isEmptyFile(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(name).path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }

  private func path(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }
}
