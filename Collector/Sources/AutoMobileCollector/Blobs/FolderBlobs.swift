import Foundation
import NIOCore

/// Blobs as files in folders: `replays/…` and `symbols/…` below a directory, for this user alone.
package struct FolderBlobs: BlobStore {
  private let root: String
  package var place: String { root }
  /// Of a listing.
  private static let page = 1000

  /// - Parameter root: may not exist yet; ``check()`` and the first put make it.
  package init(_ root: URL) { self.root = root.path }

  package func put(_ content: BlobContent, as name: BlobName) async throws {
    try await whole { try place(content, as: name) }
  }

  package func get(_ name: BlobName, _ range: Range<Int64>) async throws -> ByteBuffer {
    try BlobLimits.check(range, of: name)
    return try await whole {
      do {
        if let bytes = try FileBytes.read(path(name), range) { return bytes }
      } catch let error as SystemError where error.code == ENOENT {}
      throw BlobError(.missing, "\(path(name)) is missing, or ends before byte \(range.upperBound)")
    }
  }

  package func size(of name: BlobName) async throws -> Int64? {
    try await whole { try FileBytes.size(path(name)) }
  }

  package func remove(_ name: BlobName) async throws {
    try await whole { try FileBytes.remove(path(name)) }
  }

  package func list(_ folder: BlobName.Folder, after name: BlobName?) async throws -> [BlobEntry] {
    try await whole {
      guard try PrivateFiles.status(directory(folder)) != nil else { return [] }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory(folder))
        .compactMap { BlobName(folder, $0) }.filter { found in name.map { $0 < found } ?? true }.sorted()
      return try names.prefix(Self.page).compactMap { name in
        try FileBytes.size(path(name)).map { BlobEntry(name: name, bytes: $0) }
      }
    }
  }

  package func file(_ name: BlobName) -> String? { path(name) }

  package func check() async throws {
    try await whole { for folder in BlobName.Folder.allCases { try PrivateFiles.createDirectory(directory(folder)) } }
  }

  package func tidy() async throws {
    try await whole {
      for folder in BlobName.Folder.allCases where try PrivateFiles.status(directory(folder)) != nil {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory(folder))
        for name in names where name.hasSuffix(BlobName.unfinished) {
          try FileBytes.remove("\(directory(folder))/\(name)")
        }
      }
    }
  }

  // MARK: Files

  private func directory(_ folder: BlobName.Folder) -> String { "\(root)/\(folder.rawValue)" }
  private func path(_ name: BlobName) -> String { "\(root)/\(name.key)" }

  /// Under another name first, and durable, before it is known by its own: a reader sees all of it or nothing.
  private func place(_ content: BlobContent, as name: BlobName) throws {
    try PrivateFiles.createDirectory(directory(name.folder))
    let part = "\(directory(name.folder))/\(BlobName.unique())\(BlobName.unfinished)"
    defer { unlink(part) }
    try write(content, to: part)
    // A rename would write over what is there.
    if link(part, path(name)) != 0 {
      guard errno == EEXIST else { throw SystemError("link", path(name)) }
      guard try Self.areEqual(part, path(name)) else {
        throw BlobError(.exists, "\(path(name)) is there already, and holds something else")
      }
    }
    try FileBytes.syncDirectory(directory(name.folder))
  }

  private func write(_ content: BlobContent, to part: String) throws {
    if case .file(let source) = content {
      let file = try FileDescriptor(creating: source, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
      // On the same file system nothing is copied.
      if link(source, part) == 0 { return try FileBytes.sync(file, source) }
    }
    let copy = try FileDescriptor(
      creating: part, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: PrivateFiles.file)
    switch content {
    case .bytes(let bytes): try FileBytes.write(bytes, to: copy, part, at: 0)
    case .file(let source):
      let pieces = try FilePieces(source)
      while let piece = try pieces.next() { try FileBytes.write(piece.bytes, to: copy, part, at: piece.offset) }
    }
    try FileBytes.sync(copy, part)
  }

  private static func areEqual(_ one: String, _ other: String) throws -> Bool {
    let pieces = try (FilePieces(one), FilePieces(other))
    guard pieces.0.size == pieces.1.size else { return false }
    while let piece = try pieces.0.next() {
      guard try pieces.1.next()?.bytes == piece.bytes else { return false }
    }
    return true
  }

  /// Off the threads of Swift's concurrency, with what the system says in words of this store.
  private func whole<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    do {
      return try await offLoop(body)
    } catch let error as SystemError {
      throw BlobError(.unavailable, "\(error). Is the disk full, or are the permissions others?")
    }
  }
}
