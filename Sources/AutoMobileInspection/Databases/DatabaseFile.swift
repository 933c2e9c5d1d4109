import Foundation

/// A file, as far as it can be known without opening it.
struct DatabaseFile: Equatable {
  /// Without symbolic links.
  let path: String
  let sizeBytes: Int64
  /// Two of the same identity are one file, whatever they are called.
  let identity: Identity

  struct Identity: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// - Throws: when there is no such file, or it is something else.
  init(_ path: String) throws(DatabaseError) {
    guard !path.isEmpty, !path.utf8.contains(0), let real = Self.realPath(path) else {
      throw DatabaseError(
        .missing,
        "There is no file \(path.isEmpty ? "without a name" : String(path.prefix(1000))). Ask for the list of databases."
      )
    }
    var facts = stat()
    guard stat(real, &facts) == 0 else {
      throw DatabaseError(.notReadable, "\(real) cannot be accessed (\(SQLite.text(strerror(errno)))).")
    }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw DatabaseError(.notAFile, "\(real) is a directory, not a database. Name a file in it.")
    default: throw DatabaseError(.notAFile, "\(real) is not a regular file, so it is not a database.")
    }
    self.path = real
    sizeBytes = Int64(facts.st_size)
    identity = Identity(device: UInt64(truncatingIfNeeded: facts.st_dev), inode: UInt64(facts.st_ino))
  }

  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
