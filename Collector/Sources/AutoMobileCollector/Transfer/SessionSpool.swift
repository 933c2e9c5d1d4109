import Foundation
import NIOCore

/// A file that is being received, on the disk until it has been looked at as a whole.
///
/// On this machine also where blobs are elsewhere: nobody is told that it has arrived before what is in it stands in the ingest
/// log and in packs, it is gone with the request, and no other collector asks for it.
struct SessionSpool: Sendable {
  private let directory: String

  /// What an earlier run left behind goes.
  init(directory: String) throws {
    self.directory = directory
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Gives `body` a place for a file, which is gone when it returns.
  func withFile<Result>(_ body: (SpoolFile) async throws -> Result) async throws -> Result {
    let path = directory + "/" + UUID().uuidString
    let descriptor = try FileDescriptor(
      creating: path, flags: O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
    // Without a name it goes with the process, however that ends.
    unlink(path)
    return try await body(SpoolFile(descriptor: descriptor, path: path))
  }
}

/// Written once, then read from its beginning. Blocks, as long as the page cache takes.
struct SpoolFile: Sendable {
  fileprivate let descriptor: FileDescriptor
  fileprivate let path: String
  private static let piece = 1 << 18

  func append(_ buffer: ByteBuffer) throws {
    var bytes = buffer.readableBytesView[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor.number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// The bytes from `offset` on; empty at the end.
  func read(at offset: Int) throws -> ByteBuffer {
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    while true {
      let count = pread(descriptor.number, &bytes, bytes.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      return ByteBuffer(bytes: bytes[..<count])
    }
  }
}
