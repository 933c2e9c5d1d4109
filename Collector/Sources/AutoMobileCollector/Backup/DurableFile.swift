import Crypto
import Foundation

/// Files that are on the disk when a call returns.
enum DurableFile {
  private static let part = 1 << 20

  static func write(_ data: Data, to path: String) throws {
    let file = try create(path)
    try data.withUnsafeBytes { try write($0, to: file, path) }
    try FileBytes.sync(file, path)
  }

  /// Copies a file, as it is while it is read.
  ///
  /// - Parameter progress: called with how much of it has been copied.
  /// - Returns: how much it was, and its SHA-256 in hexadecimal digits.
  static func copy(
    _ path: String, to target: String, progress: (Int64) -> Void = { _ in }
  ) throws -> (size: Int64, sha256: String) {
    let source = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
    let file = try create(target)
    var (hash, size) = (Crypto.SHA256(), Int64(0))
    try read(source, path) { bytes in
      hash.update(bufferPointer: bytes)
      try write(bytes, to: file, target)
      size += Int64(bytes.count)
      progress(size)
    }
    try FileBytes.sync(file, target)
    return (size, hash.finalize().hexText)
  }

  /// A file's SHA-256, in hexadecimal digits.
  static func sha256(of path: String, progress: (Int64) -> Void = { _ in }) throws -> String {
    let source = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
    var (hash, size) = (Crypto.SHA256(), Int64(0))
    try read(source, path) {
      hash.update(bufferPointer: $0)
      size += Int64($0.count)
      progress(size)
    }
    return hash.finalize().hexText
  }

  private static func create(_ path: String) throws -> FileDescriptor {
    try FileDescriptor(
      creating: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions: PrivateFiles.file)
  }

  private static func read(
    _ file: FileDescriptor, _ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: part, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = Foundation.read(file.number, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to file: FileDescriptor, _ path: String) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Foundation.write(file.number, part.baseAddress, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path) }
      rest = rest.dropFirst(count)
    }
  }
}
