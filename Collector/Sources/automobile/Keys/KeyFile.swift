import Foundation

/// Keys from a file: one a line; empty lines and those that begin with `#` are none.
///
/// A file that others can *change* is refused: whoever puts a line into it is let in. One that others can *read* is used
/// with a warning: the secrets that containers are given (Docker, Kubernetes) stand there with 0444 in a directory that
/// nobody else enters, so that refusing would only teach people to copy them.
enum KeyFile {
  /// - Parameter warn: is told what should be different.
  /// - Throws: ``Failure`` when it cannot be read, can be changed by others, or contains no key.
  static func keys(at path: String, warn: (String) -> Void) throws -> [String] {
    let name = "“\(Printable.text(path))”"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(kind: .unavailable, message: "The key file \(name): \(String(cString: strerror(errno))).")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Of the open file, so that it is the one that is read.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Failure(kind: .unavailable, message: "The key file \(name): \(String(cString: strerror(errno))).")
    }
    if status.st_mode & S_IFMT == S_IFREG {
      try FileOwner.check(status, "The key file \(name)", warn: warn)
      if status.st_mode & 0o044 != 0 { warn("\(name) can be read by other users of this machine: chmod 600 it.") }
    }
    guard let data = try? file.read(upToCount: longest + 1), data.count <= longest,
      let text = String(data: data, encoding: .utf8)
    else {
      throw Failure(kind: .unavailable, message: "The key file \(name) is not a text file of at most \(longest) bytes.")
    }
    let keys = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !keys.isEmpty else {
      throw Failure(kind: .unavailable, message: "The key file \(name) contains no key.", advice: "One key per line.")
    }
    return keys
  }

  private static let longest = 64 << 10
}
