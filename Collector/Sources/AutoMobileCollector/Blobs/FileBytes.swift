import Foundation
import NIOCore

/// Reading and writing files whole. Blocks.
enum FileBytes {
  /// These bytes of a file; nil when it ends before.
  ///
  /// - Throws: `SystemError`; its code is `ENOENT` when there is no file.
  static func read(_ path: String, _ range: Range<Int64>) throws -> ByteBuffer? {
    let file = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
    return try read(file, path, range)
  }

  static func read(_ file: FileDescriptor, _ path: String, _ range: Range<Int64>) throws -> ByteBuffer? {
    // Its size first: what is asked for may be large, and memory for it is taken before anything is read.
    guard try size(file, path) >= range.upperBound else { return nil }
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { space in
      var got = 0
      while got < range.count {
        let count = pread(
          file.number, space.baseAddress?.advanced(by: got), range.count - got, off_t(range.lowerBound) + off_t(got))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw SystemError("read", path) }
        if count == 0 { break }
        got += count
      }
      return got
    }
    return buffer.readableBytes == range.count ? buffer : nil
  }

  static func size(_ file: FileDescriptor, _ path: String) throws -> Int64 {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw SystemError("fstat", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", path, code: EINVAL) }
    return Int64(status.st_size)
  }

  /// Nil when there is no file.
  static func size(_ path: String) throws -> Int64? {
    guard let status = try PrivateFiles.status(path) else { return nil }
    return status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  static func write(_ bytes: ByteBuffer, to file: FileDescriptor, _ path: String, at offset: Int64) throws {
    try bytes.withUnsafeReadableBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = pwrite(
          file.number, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(offset) + off_t(written))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw SystemError("write", path) }
        written += count
      }
    }
  }

  static func sync(_ file: FileDescriptor, _ path: String) throws {
    guard fsync(file.number) == 0 else { throw SystemError("fsync", path) }
  }

  /// That a name is in a directory, or not in it any more, is durable when this returns.
  static func syncDirectory(_ path: String) throws {
    try sync(FileDescriptor(creating: path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, permissions: 0), path)
  }

  /// Removes a file; one that is not there is no error.
  static func remove(_ path: String) throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path) }
  }
}
