import Foundation

/// Bytes of an image, read in pieces. A read that is not possible gives fewer bytes; it never faults.
protocol ByteSource: Sendable {
  var size: Int { get }
  /// Up to `count` bytes from `offset` on.
  func read(at offset: Int, count: Int) -> [UInt8]
}

extension ByteSource {
  /// Exactly `count` bytes, or nil.
  func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
    guard count >= 0, let start = Int(exactly: offset), start <= size, count <= size - start else { return nil }
    let bytes = read(at: start, count: count)
    return bytes.count == count ? bytes : nil
  }

  /// The text that ends at the next zero byte; nil when it is empty. What is longer than `limit` bytes is cut.
  func text(at offset: UInt64, limit: Int = 1024) -> String? {
    guard let start = Int(exactly: offset), start < size else { return nil }
    let bytes = read(at: start, count: min(limit, size - start)).prefix { $0 != 0 }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

/// Bytes in memory that belongs to us.
struct MemoryBytes: ByteSource {
  let bytes: [UInt8]

  var size: Int { bytes.count }

  func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < bytes.count else { return [] }
    return Array(bytes[offset..<offset + min(count, bytes.count - offset)])
  }
}

/// A file, read and not mapped: whoever truncates it makes reads shorter and does no harm.
final class FileBytes: ByteSource {
  private let descriptor: Int32
  let size: Int
  let inode: UInt64

  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    size = Int(clamping: status.st_size)
    inode = UInt64(status.st_ino)
  }

  deinit { close(descriptor) }

  func read(at offset: Int, count: Int) -> [UInt8] {
    guard count > 0, offset >= 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let got = pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
        if got > 0 {
          done += got
        } else if got == 0 || errno != EINTR {
          break
        }
      }
    }
  }
}
