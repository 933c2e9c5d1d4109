import Foundation

/// The file that says which collector the commands ask, so that nobody has to type it each time:
///
///     url = "https://collector.example.com"
///     key-file = "viewer.key"
///
/// A key may stand in it (`key = "…"`) instead of a file with one. It is that collector's, and goes to no other.
struct ConnectionFile: Equatable {
  var url: String?
  var key: String?
  /// As it is written: from the home directory (`~/`), from the root, or from the file's own directory.
  var keyFile: String?

  /// `$XDG_CONFIG_HOME/automobile/config.toml`, or `~/.config/automobile/config.toml`.
  static func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
      return URL(filePath: base).appending(path: "automobile/config.toml").path
    }
    return URL(filePath: environment["HOME"] ?? "/").appending(path: ".config/automobile/config.toml").path
  }

  /// What the file says; nil when there is none.
  ///
  /// - Throws: ``Failure`` when it cannot be read, is not what it should be, or others may do with it what they must not.
  static func read(at path: String) throws -> ConnectionFile? {
    let name = "“\(Printable.text(path))”"
    // Nobody has to write into a pipe of this name before we see that it is one.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else {
      throw Failure(kind: .unavailable, message: "\(name) cannot be read: \(String(cString: strerror(errno))).")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Of the open file, so that it is the one that is read.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let data = try? handle.read(upToCount: longest + 1), data.count <= longest,
      let text = String(data: data, encoding: .utf8)
    else { throw Failure(kind: .unavailable, message: "\(name) is not a text file of at most \(longest) bytes.") }
    // Whoever can write it sends our key wherever he likes.
    guard status.st_uid == 0 || status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw Failure(
        kind: .unavailable, message: "Other users of this machine can change \(name).",
        advice: "Make it yours alone: chmod 600 \(path)")
    }
    let file = try parse(text, name: name)
    guard file.key == nil || status.st_mode & 0o044 == 0 else {
      throw Failure(
        kind: .unavailable, message: "\(name) holds a key, and other users of this machine can read it.",
        advice: "Make it yours alone: chmod 600 \(path)")
    }
    return file
  }

  private static let longest = 16 << 10

  /// Puts the file in its place, for this user alone.
  ///
  /// - Throws: ``Failure`` when that cannot be done.
  func write(to path: String) throws {
    let url = URL(filePath: path)
    let partial = url.deletingLastPathComponent().appending(path: ".config.toml.\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.")
    }
    // With its mode from the first moment on: a key may stand in it.
    let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(text.utf8))
      try handle.synchronize()
      try handle.close()
      guard rename(partial.path, path) == 0 else { throw POSIXError(.EIO) }
    } catch {
      unlink(partial.path)
      throw Failure(kind: .unavailable, message: "“\(Printable.text(path))” cannot be written.")
    }
  }
}
