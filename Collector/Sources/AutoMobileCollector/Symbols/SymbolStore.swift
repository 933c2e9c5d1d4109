import Foundation
import NIOConcurrencyHelpers

/// Programs and debug files by the build that they belong to, in `DATA/symbols`.
///
/// Files are copied: what a build directory holds is overwritten by the next build. A build is kept once; of two files
/// the one that knows lines stays. Each is `ID.sym`, with what is known of it in `ID.json`.
package final class SymbolStore: Sendable {
  package struct Entry: Sendable, Equatable, Codable {
    package var id: String
    /// The file's own name, for people.
    package var name: String
    package var format: SymbolFile.Format
    package var architecture: String
    package var textAddress: UInt64
    package var hasLines: Bool
    package var bytes: Int64
    /// In milliseconds since 1970.
    package var added: Int64
  }

  package enum Outcome: Sendable, Equatable { case added, replaced, known }

  /// What becomes of the file that is added.
  package enum Keeping: Sendable {
    case copy
    /// It may go: for one that was received into ``partial()``.
    case move
    /// It is referred to where it lies: for a store that lives no longer than a command.
    case link
  }

  let directory: URL
  private let maximumBytes: Int64
  private let entries: NIOLockedValueBox<[String: Entry]>

  /// Opens the directory, and makes it when there is none.
  package convenience init(directory: URL, maximumBytes: Int64 = .max) throws {
    try PrivateFiles.createDirectory(directory.path)
    for file in try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    where file.pathExtension == "part" {
      // What an upload that never ended has left.
      try? FileManager.default.removeItem(at: file)
    }
    self.init(reading: directory, maximumBytes: maximumBytes)
  }

  /// Takes what is there, and changes nothing until it is told to.
  package init(reading directory: URL, maximumBytes: Int64 = 0) {
    self.directory = directory
    self.maximumBytes = maximumBytes
    var entries: [String: Entry] = [:]
    let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
    for file in files ?? [] {
      guard file.pathExtension == "json", let data = try? Data(contentsOf: file),
        let entry = try? JSONDecoder().decode(Entry.self, from: data), SymbolID(entry.id)?.text == entry.id,
        FileManager.default.fileExists(atPath: directory.appending(path: entry.id + ".sym").path)
      else { continue }
      entries[entry.id] = entry
    }
    self.entries = NIOLockedValueBox(entries)
  }

  package var all: [Entry] {
    entries.withLockedValue { $0.values.sorted { ($1.added, $0.id) < ($0.added, $1.id) } }
  }

  package func entry(_ id: SymbolID) -> Entry? { entries.withLockedValue { $0[id.text] } }

  /// Which of these builds are here.
  func known(among ids: some Sequence<SymbolID>) -> Set<SymbolID> {
    entries.withLockedValue { entries in Set(ids.filter { entries[$0.text] != nil }) }
  }

  /// The name of a build's file, below ``directory``.
  static func fileName(_ id: String) -> String { id + ".sym" }

  /// A place for a file that is being received; on the same file system as its later one.
  package func partial() -> URL { directory.appending(path: UUID().uuidString + ".part") }

  /// Keeps what `path` holds.
  ///
  /// - Parameter name: what people call it.
  /// - Throws: ``SymbolFile/Failure``, or what the file system says.
  package func add(_ path: String, name: String, by keeping: Keeping = .copy) throws -> [(
    entry: Entry, outcome: Outcome
  )] {
    let now = WallClock.now
    return try SymbolFile.inspect(path).map { file in
      let entry = Entry(
        id: file.id.text, name: String(name.prefix(256)), format: file.format, architecture: file.architecture,
        textAddress: file.textAddress, hasLines: file.hasLines,
        bytes: Int64(clamping: file.range.upperBound - file.range.lowerBound), added: now)
      let before = self.entry(file.id)
      if let before, before.hasLines || !entry.hasLines { return (before, .known) }
      try keep(entry, from: path, file.range, by: keeping)
      return (entry, before == nil ? .added : .replaced)
    }
  }

  private func keep(_ entry: Entry, from path: String, _ range: Range<UInt64>, by keeping: Keeping) throws {
    let used = entries.withLockedValue { $0.values.reduce(0) { $0 + $1.bytes } }
    guard entry.bytes <= maximumBytes - min(used, maximumBytes) else {
      throw SymbolFile.Failure(
        "does not fit: \(used) of \(maximumBytes) bytes for symbols are taken. Remove some: automobile symbols remove ID"
      )
    }
    let part = partial()
    defer { try? FileManager.default.removeItem(at: part) }
    // Of a universal file each build is cut out.
    let isWhole = try range == 0..<BoundedFile(path).size
    switch keeping {
    case .move where isWhole: guard rename(path, part.path) == 0 else { throw SystemError("rename", path) }
    case .link where isWhole:
      try FileManager.default.createSymbolicLink(at: part, withDestinationURL: URL(filePath: path).absoluteURL)
    default: try Self.copy(path, range, to: part.path)
    }
    let description = part.appendingPathExtension("json")
    try PrivateFiles.create(description.path)
    try JSONEncoder().encode(entry).write(to: description)
    guard rename(part.path, directory.appending(path: Self.fileName(entry.id)).path) == 0,
      rename(description.path, directory.appending(path: entry.id + ".json").path) == 0
    else { throw SystemError("rename", part.path) }
    entries.withLockedValue { $0[entry.id] = entry }
  }

  /// Forgets a build; false when there is none of this name.
  package func remove(_ id: SymbolID) throws -> Bool {
    guard entries.withLockedValue({ $0.removeValue(forKey: id.text) }) != nil else { return false }
    try FileManager.default.removeItem(at: directory.appending(path: id.text + ".json"))
    try FileManager.default.removeItem(at: directory.appending(path: Self.fileName(id.text)))
    return true
  }

  private static func copy(_ path: String, _ range: Range<UInt64>, to target: String) throws {
    let source = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC, permissions: 0)
    let copy = try FileDescriptor(creating: target, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let wanted = Int(min(UInt64(buffer.count), range.upperBound - offset))
      let got = pread(source.number, &buffer, wanted, off_t(offset))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw SystemError("read", path) }
      var written = 0
      while written < got {
        let count = buffer.withUnsafeBytes { write(copy.number, $0.baseAddress?.advanced(by: written), got - written) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", target) }
        written += count
      }
      offset += UInt64(got)
    }
    guard fsync(copy.number) == 0 else { throw SystemError("fsync", target) }
  }
}
