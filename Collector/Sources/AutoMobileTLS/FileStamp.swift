import Foundation

/// By which one sees that a file has changed, without reading it.
package struct FileStamp: Sendable, Equatable {
  private var file: UInt64 = 0
  private var size: Int64 = -1
  private var seconds = 0
  private var nanoseconds = 0

  /// Links are followed: Kubernetes changes where they lead. A file that is not there has a stamp of its own.
  package init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }
}

/// A small file that somebody else writes.
package enum SmallFile {
  /// - Parameter longest: in bytes.
  /// - Throws: ``TLSFileError``, with what the system says.
  package static func read(_ path: String, longest: Int = 1 << 20) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw TLSFileError(path: path, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var all: [UInt8] = []
    while true {
      let count = Foundation.read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TLSFileError(path: path, reason: String(cString: strerror(errno))) }
      if count == 0 { return all }
      all += bytes[..<count]
      guard all.count <= longest else {
        throw TLSFileError(path: path, reason: "it is longer than \(longest) bytes")
      }
    }
  }
}
