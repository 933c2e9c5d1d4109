import Foundation

/// Blobs as files on this machine, for programs that read files only. Where the store keeps files, these; else copies that are
/// made when they are wanted, and of which the one that was not wanted for longest goes when they become too many.
package struct BlobFiles: Sendable {
  let blobs: any BlobStore
  private let cache: String?
  private let limit: Int64

  /// Of a store that keeps files.
  init(_ blobs: any BlobStore) {
    (self.blobs, cache, limit) = (blobs, nil, 0)
  }

  /// - Parameters:
  ///   - cache: a directory for copies, when the store keeps none; what is left of copies that did not end goes.
  ///   - limit: of all copies, in bytes; a larger one is made all the same.
  init(_ blobs: any BlobStore, cache: String, limit: Int64) throws {
    self.blobs = blobs
    self.limit = limit
    guard BlobName(.symbols, "any").flatMap(blobs.file) == nil else {
      self.cache = nil
      return
    }
    self.cache = cache
    for folder in BlobName.Folder.allCases {
      try PrivateFiles.createDirectory("\(cache)/\(folder.rawValue)")
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(cache)/\(folder.rawValue)")
      where file.hasSuffix(BlobName.unfinished) {
        try FileBytes.remove("\(cache)/\(folder.rawValue)/\(file)")
      }
    }
  }

  /// Where files of a folder are; what is to become a blob is best received here, too.
  func directory(_ folder: BlobName.Folder) -> String {
    if let cache { return "\(cache)/\(folder.rawValue)" }
    let file = BlobName(folder, "any").flatMap(blobs.file) ?? "/"
    return String(file.dropLast("/any".utf8.count))
  }

  /// Where the file is; it is there when this returns.
  ///
  /// - Parameter bytes: its size.
  /// - Throws: ``BlobError``, `SystemError`.
  func path(_ name: BlobName, bytes: Int64) async throws -> String {
    guard cache != nil else {
      guard let path = blobs.file(name) else { throw BlobError(.unavailable, "\(name) is in \(blobs.place)") }
      return path
    }
    let path = "\(directory(name.folder))/\(name.file)"
    let isHere = try await offLoop {
      guard try FileBytes.size(path) == bytes else { return false }
      // Wanted last.
      return utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0
    }
    if !isHere { try await fetch(name, bytes: bytes, to: path) }
    return path
  }

  /// Puts a blob's file out of the cache.
  func forget(_ name: BlobName) {
    if cache != nil { unlink("\(directory(name.folder))/\(name.file)") }
  }

  private func fetch(_ name: BlobName, bytes: Int64, to path: String) async throws {
    let part = "\(directory(name.folder))/\(BlobName.unique())\(BlobName.unfinished)"
    defer { unlink(part) }
    let file = try await offLoop {
      try makeRoom(for: bytes)
      return try FileDescriptor(
        creating: part, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: PrivateFiles.file)
    }
    var offset: Int64 = 0
    while offset < bytes {
      let (start, end) = (offset, min(bytes, offset + BlobLimits.piece))
      let piece = try await blobs.get(name, start..<end)
      try await offLoop { try FileBytes.write(piece, to: file, part, at: start) }
      offset = end
    }
    guard rename(part, path) == 0 else { throw SystemError("rename", path) }
  }

  private func makeRoom(for bytes: Int64) throws {
    guard let cache else { return }
    var files: [(path: String, bytes: Int64, used: Int)] = []
    for folder in BlobName.Folder.allCases {
      for file in try FileManager.default.contentsOfDirectory(atPath: "\(cache)/\(folder.rawValue)")
      where BlobName(folder, file) != nil {
        let path = "\(cache)/\(folder.rawValue)/\(file)"
        guard let status = try PrivateFiles.status(path) else { continue }
        #if canImport(Darwin)
        let used = status.st_mtimespec.tv_sec
        #else
        let used = status.st_mtim.tv_sec
        #endif
        files.append((path, Int64(status.st_size), used))
      }
    }
    var sum = files.reduce(bytes) { $0 + $1.bytes }
    for file in files.sorted(by: { $0.used < $1.used }) where sum > limit {
      try FileBytes.remove(file.path)
      sum -= file.bytes
    }
  }
}
