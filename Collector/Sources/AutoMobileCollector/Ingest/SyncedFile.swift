import Foundation

/// A small file that is there as a whole or not at all, whenever the power goes.
enum SyncedFile {
  /// The beginning of a longer one; nil when there is none.
  static func read(_ path: String, longest: Int = 1 << 20) throws -> [UInt8]? {
    guard access(path, F_OK) == 0 else { return nil }
    let file = try FileDescriptor(creating: path, flags: O_RDONLY | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    var content: [UInt8] = []
    while content.count < longest {
      let count = Foundation.read(file.number, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError("read", path) }
      if count == 0 { break }
      content += bytes[..<count]
    }
    return content
  }

  /// Replaces what is there. When it returns, that survives.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let draft = path + ".new"
    do {
      let file = try FileDescriptor(
        creating: draft, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, permissions: PrivateFiles.file)
      try write(bytes, to: file, draft)
      guard fsync(file.number) == 0 else { throw SystemError("fsync", draft) }
    }
    guard rename(draft, path) == 0 else { throw SystemError("rename", path) }
    let folder = (path as NSString).deletingLastPathComponent
    let directory = try FileDescriptor(creating: folder, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, permissions: 0)
    guard fsync(directory.number) == 0 else { throw SystemError("fsync", folder) }
  }

  /// Writes all of it at the file's place.
  static func write(_ bytes: [UInt8], to file: FileDescriptor, _ path: String) throws {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.write(file.number, $0.baseAddress?.advanced(by: done), $0.count - done)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path) }
      done += count
    }
  }
}
