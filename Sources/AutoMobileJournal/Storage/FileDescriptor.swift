import CAutoMobile
import Foundation

/// An open file. Whoever opens it closes it.
package struct FileDescriptor {
  let raw: Int32

  package init(path: String, flags: Int32) throws(StorageError) {
    // Nothing follows a link, or waits for the other end of a pipe that somebody put in a file's place.
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    // Protection class C, "until first user authentication", from the moment the file exists.
    let opened =
      flags & O_CREAT != 0
      ? am_open_protected(path, flags, 0o600)
      : open(path, flags)
    #else
    let opened = open(path, flags, 0o600)
    #endif
    guard opened >= 0 else { throw StorageError("open \(path)") }
    raw = opened
  }

  /// Creates a file of `size` bytes that are all there, and fills it. One that could not be filled is gone again.
  static func create<Filled>(
    at path: String, size: Int, fill: (FileDescriptor) throws(StorageError) -> Filled
  ) throws(StorageError) -> Filled {
    let file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | O_EXCL)
    defer { file.close() }
    do throws(StorageError) {
      if size > 0 { try file.preallocate(size) }
      return try fill(file)
    } catch {
      unlink(path)
      throw error
    }
  }

  package func close() {
    #if canImport(Darwin)
    _ = Darwin.close(raw)
    #else
    _ = Glibc.close(raw)
    #endif
  }

  /// In bytes; 0 for what is not a regular file.
  package var size: Int {
    var status = stat()
    guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
    return Int(clamping: status.st_size)
  }

  /// When the file was last written, in milliseconds since 1970.
  var modified: Int64 {
    var status = stat()
    guard fstat(raw, &status) == 0 else { return 0 }
    #if canImport(Darwin)
    return Int64(status.st_mtimespec.tv_sec) &* 1000
    #else
    return Int64(status.st_mtim.tv_sec) &* 1000
    #endif
  }

  /// Gives the file `size` bytes of real blocks.
  func preallocate(_ size: Int) throws(StorageError) {
    #if canImport(Darwin)
    var request = fstore_t(
      fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: off_t(size),
      fst_bytesalloc: 0)
    if fcntl(raw, F_PREALLOCATE, &request) != 0, errno == ENOSPC { throw StorageError("preallocate") }
    try writeZeros(size)
    #else
    switch posix_fallocate(raw, 0, off_t(size)) {
    case 0: return
    case EOPNOTSUPP, EINVAL, ENOSYS: try writeZeros(size)
    case let code: throw StorageError("preallocate", code: code)
    }
    #endif
  }

  /// Has the kernel keep pages for a preallocated file, all zeros, in a third of the time that touching each in a mapping takes.
  func fillPages(_ size: Int) throws(StorageError) {
    #if !canImport(Darwin)
    // There, preallocating has done so.
    try writeZeros(size)
    #endif
  }

  private func writeZeros(_ size: Int) throws(StorageError) {
    // More at a time, and the kernel takes pages that are slower to map.
    let zeros = [UInt8](repeating: 0, count: min(size, 64 * 1024))
    var offset = 0
    while offset < size {
      let count = zeros.withUnsafeBytes { pwrite(raw, $0.baseAddress, min($0.count, size - offset), off_t(offset)) }
      if count > 0 {
        offset += count
      } else if count == 0 || errno != EINTR {
        throw StorageError("fill", code: count == 0 ? EIO : errno)
      }
    }
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw StorageError("write", code: count == 0 ? EIO : errno)
      }
    }
  }

  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8], at offset: Int = 0) throws(StorageError) {
    // What `withUnsafeBytes` of an array passes on has no type.
    let result: Result<Void, StorageError> = bytes.withUnsafeBytes { raw in
      do throws(StorageError) {
        try write(raw, at: offset)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Writes a number as it lies in memory.
  func write(_ number: UInt64, at offset: Int) throws(StorageError) {
    try withUnsafeBytes(of: number) { raw throws(StorageError) in try write(raw, at: offset) }
  }

  /// Reads up to `count` bytes; fewer at the file's end or on an error.
  package func read(at offset: Int, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let got = pread(raw, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
        if got > 0 {
          done += got
        } else if got == 0 || errno != EINTR {
          break
        }
      }
    }
  }
}
