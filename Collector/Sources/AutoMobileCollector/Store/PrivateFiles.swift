import Foundation

/// Keeps what the collector holds from the machine's other users.
///
/// Permissions are not only given when something is made, but taken away at every start: a directory can have been made by
/// an earlier version, by hand, or come out of an archive.
enum PrivateFiles {
  static let directory: mode_t = 0o700
  static let file: mode_t = 0o600

  /// Takes a directory's permissions for others away, and those of everything below it. Links are not followed.
  ///
  /// - Throws: `SystemError`, or ``Foreign`` when something belongs to somebody else, who could change it at any time.
  static func tighten(_ path: String) throws {
    guard let status = try status(path) else { return }
    try own(status, path)
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      try restrict(path, status, to: directory)
      for name in try FileManager.default.contentsOfDirectory(atPath: path) { try tighten(path + "/" + name) }
    case S_IFREG: try restrict(path, status, to: file)
    case S_IFLNK: throw Foreign(path: path, reason: "is a link to something outside of the data directory")
    default: break
    }
  }

  /// Makes an empty file that only its owner can read, unless there is one.
  static func create(_ path: String) throws {
    _ = try FileDescriptor(creating: path, flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, permissions: file)
  }

  /// Makes a directory that only its owner can enter, unless there is one.
  static func createDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: Int(directory)])
  }

  /// What belongs to somebody else, in words.
  struct Foreign: Error, CustomStringConvertible {
    var path: String
    var reason: String
    var description: String { "\(path) \(reason)" }
  }

  /// Not the link's target; nil when there is nothing.
  static func status(_ path: String) throws -> stat? {
    var status = stat()
    if lstat(path, &status) == 0 { return status }
    guard errno == ENOENT else { throw SystemError("lstat", path) }
    return nil
  }

  /// The superuser may use anybody's files: a container often runs as one, over a directory of its host's.
  static func own(_ status: stat, _ path: String) throws {
    let user = geteuid()
    guard user == 0 || status.st_uid == user else {
      throw Foreign(path: path, reason: "belongs to another user (\(status.st_uid)), who could change it at any time")
    }
  }

  /// What the owner may not do stays forbidden.
  static func restrict(_ path: String, _ status: stat, to most: mode_t) throws {
    let mode = status.st_mode & 0o7777
    guard mode & ~most != 0 else { return }
    guard chmod(path, mode & most) == 0 else { throw SystemError("chmod", path) }
  }
}
