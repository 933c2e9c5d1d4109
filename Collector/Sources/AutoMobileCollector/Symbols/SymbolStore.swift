import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Programs and debug files by the build that they belong to.
///
/// Files are copied: what a build directory holds is overwritten by the next build. A build is kept once; of two files
/// the one that knows lines stays. Each is a blob; which build is which stands in the state (``SymbolTable``).
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

  private let files: BlobFiles
  private let table: SymbolTable?
  private let maximumBytes: Int64
  private typealias Builds = [String: SymbolTable.Known]
  /// Of one that lives no longer than a command; else it is in `memory`.
  private let own = NIOLockedValueBox<Builds>([:])
  private let memory: StateMemory<Builds>?

  /// What the state knows.
  init(files: BlobFiles, table: SymbolTable, maximumBytes: Int64 = 0, logger: Logger) throws {
    self.files = files
    self.table = table
    self.maximumBytes = maximumBytes
    memory = try StateMemory(of: [.symbols], in: table.state, logger: logger, load: SymbolTable.all)
    memory?.onReload { old, new in
      for (id, known) in old where new[id]?.blob != known.blob { files.forget(known.blob) }
    }
  }

  /// One that is empty and lives no longer than a command.
  package init(directory: URL) throws {
    let blobs = FolderBlobs(directory)
    files = BlobFiles(blobs)
    table = nil
    maximumBytes = .max
    memory = nil
    try PrivateFiles.createDirectory(files.directory(.symbols))
  }

  /// Where the files are that ``prepare(_:)`` names.
  var directory: URL { URL(filePath: files.directory(.symbols)) }

  package var all: [Entry] {
    with { $0.values.map(\.entry).sorted { ($1.added, $0.id) < ($0.added, $1.id) } }
  }

  package func entry(_ id: SymbolID) -> Entry? { with { $0[id.text]?.entry } }

  /// Which of these builds are here.
  func known(among ids: some Sequence<SymbolID>) -> Set<SymbolID> {
    with { known in Set(ids.filter { known[$0.text] != nil }) }
  }

  /// The name of a build's file below ``directory``, once it is there; nil when the build is not known.
  ///
  /// - Throws: ``BlobError`` when it is in a store that does not answer.
  func prepare(_ id: String) async throws -> String? {
    guard let known = with({ $0[id] }) else { return nil }
    _ = try await files.path(known.blob, bytes: known.entry.bytes)
    return known.blob.file
  }

  /// A place for a file that is being received; on the same file system as its later one.
  package func partial() -> URL { directory.appending(path: UUID().uuidString + BlobName.unfinished) }

  /// Keeps what `path` holds.
  ///
  /// - Parameter name: what people call it.
  /// - Throws: ``SymbolFile/Failure``, ``BlobError``, or what the file system says.
  package func add(_ path: String, name: String, by keeping: Keeping = .copy) async throws -> [(
    entry: Entry, outcome: Outcome
  )] {
    let now = WallClock.now
    var results: [(entry: Entry, outcome: Outcome)] = []
    for file in try await offLoop({ try SymbolFile.inspect(path) }) {
      let entry = Entry(
        id: file.id.text, name: String(name.prefix(256)), format: file.format, architecture: file.architecture,
        textAddress: file.textAddress, hasLines: file.hasLines,
        bytes: Int64(clamping: file.range.upperBound - file.range.lowerBound), added: now)
      let before = self.entry(file.id)
      if let before, before.hasLines || !entry.hasLines {
        results.append((before, .known))
      } else {
        try await keep(entry, from: path, file.range, by: keeping)
        results.append((entry, before == nil ? .added : .replaced))
      }
    }
    return results
  }

  private func keep(_ entry: Entry, from path: String, _ range: Range<UInt64>, by keeping: Keeping) async throws {
    let used = with { $0.values.reduce(0) { $0 + $1.entry.bytes } }
    guard entry.bytes <= maximumBytes - min(used, maximumBytes) else {
      throw SymbolFile.Failure(
        "does not fit: \(used) of \(maximumBytes) bytes for symbols are taken. Remove some: automobile symbols remove ID"
      )
    }
    guard let blob = BlobName(.symbols, "\(entry.id)-\(BlobName.unique(bytes: 4)).sym") else {
      throw SymbolFile.Failure("has the build \(entry.id), which cannot be the name of a file")
    }
    // Of a universal file each build is cut out.
    let isWhole = try range == 0..<BoundedFile(path).size
    switch keeping {
    case .move where isWhole: try await files.blobs.put(.file(path), as: blob)
    case .link where isWhole:
      try FileManager.default.createSymbolicLink(
        at: directory.appending(path: blob.file), withDestinationURL: URL(filePath: path).absoluteURL)
    default:
      let part = partial()
      defer { try? FileManager.default.removeItem(at: part) }
      try await offLoop { try Self.copy(path, range, to: part.path) }
      try await files.blobs.put(.file(part.path), as: blob)
    }
    let found = SymbolTable.Known(entry: entry, blob: blob)
    try await change {
      try SymbolTable.set(found, in: $0)
    } then: {
      $0[entry.id] = found
    }
    await removeWaiting()
  }

  /// Forgets a build; false when there is none of this name.
  package func remove(_ id: SymbolID) async throws -> Bool {
    guard let found = with({ $0[id.text] }) else { return false }
    try await change {
      try SymbolTable.remove(id, in: $0)
    } then: {
      $0[id.text] = nil
    }
    files.forget(found.blob)
    await removeWaiting()
    return true
  }

  /// What nothing points to any more; when the store does not answer, retention comes back to it.
  private func removeWaiting() async {
    guard let table else { return }
    try? await BlobRemovals(state: table.state, blobs: files.blobs).drain { $0.folder == .symbols }
  }

  private func with<Result>(_ body: (Builds) throws -> Result) rethrows -> Result {
    if let memory { try memory.with(body) } else { try own.withLockedValue { try body($0) } }
  }

  private func change(
    _ body: @escaping @Sendable (borrowing StateWriting) throws -> Void, then apply: @Sendable (inout Builds) -> Void
  ) async throws {
    if let memory {
      try await memory.write(body) { builds, _ in apply(&builds) }
    } else {
      own.withLockedValue { apply(&$0) }
    }
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
