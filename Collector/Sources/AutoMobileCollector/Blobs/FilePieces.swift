import Foundation
import NIOCore

/// A file, piece by piece. Blocks; for one thread at a time.
final class FilePieces {
  let size: Int64
  private let path: String
  private let file: FileDescriptor
  private let piece: Int64
  private var offset: Int64 = 0

  init(_ path: String, piece: Int64 = BlobLimits.piece) throws {
    self.path = path
    self.piece = piece
    file = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
    size = try FileBytes.size(file, path)
  }

  /// Nil at the end.
  ///
  /// - Throws: `SystemError`, also when the file has become shorter.
  func next() throws -> (offset: Int64, bytes: ByteBuffer)? {
    guard offset < size else { return nil }
    let start = offset
    offset = min(size, offset + piece)
    guard let bytes = try FileBytes.read(file, path, start..<offset) else {
      throw SystemError("read", path, code: EIO)
    }
    return (start, bytes)
  }
}
