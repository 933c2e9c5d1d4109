import Foundation

/// The ingest log's files: `00000000000000000001.log`, `…2.log`, each with frames one after the other.
struct LogDirectory: Sendable {
  let path: String

  init(path: String) throws {
    self.path = path
    try PrivateFiles.createDirectory(path)
  }

  func file(_ segment: UInt64) -> String {
    let digits = String(segment)
    return path + "/" + String(repeating: "0", count: max(0, 20 - digits.count)) + digits + ".log"
  }

  /// The segments that exist, oldest first, with their sizes in bytes.
  func segments() throws -> [(number: UInt64, size: Int)] {
    try FileManager.default.contentsOfDirectory(atPath: path)
      .compactMap { name in name.hasSuffix(".log") ? UInt64(name.dropLast(4)) : nil }
      .sorted()
      .map { ($0, Self.size(file($0))) }
  }

  /// Creates a segment that must not exist yet, and makes its name durable.
  func create(_ segment: UInt64) throws -> FileDescriptor {
    let descriptor = try FileDescriptor(
      creating: file(segment), flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions: 0o600)
    try syncNames()
    return descriptor
  }

  /// Removes a segment; one that is gone already is no error.
  func remove(_ segment: UInt64) { unlink(file(segment)) }

  private func syncNames() throws {
    let directory = try FileDescriptor(creating: path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, permissions: 0)
    guard fsync(directory.number) == 0 else { throw SystemError("fsync", path) }
  }

  private static func size(_ file: String) -> Int {
    var status = stat()
    return stat(file, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// An open file that closes itself.
final class FileDescriptor: Sendable {
  let number: Int32

  init(creating path: String, flags: Int32, permissions: mode_t) throws {
    number = open(path, flags, permissions)
    guard number >= 0 else { throw SystemError("open", path) }
  }

  deinit { close(number) }
}

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
  var call: String
  var path: String
  var code: Int32

  init(_ call: String, _ path: String, code: Int32 = errno) {
    self.call = call
    self.path = path
    self.code = code
  }

  var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
}
