import Foundation

/// The collector's directory, held by one process at a time, and closed to the machine's other users.
struct DataDirectory: Sendable {
  let path: String
  /// The lock lives as long as this descriptor is open; the system lets go of it when the process ends, however.
  private let lock: FileDescriptor

  init(_ url: URL) throws {
    path = url.path
    do {
      try PrivateFiles.createDirectory(path)
      try Self.close(path)
      lock = try FileDescriptor(
        creating: path + "/lock", flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, permissions: PrivateFiles.file)
    } catch let error as SystemError {
      throw CollectorError.directoryUnusable(path: url.path, reason: error.description)
    } catch let error as PrivateFiles.Foreign {
      throw CollectorError.directoryUnusable(path: url.path, reason: error.description)
    } catch {
      throw CollectorError.directoryUnusable(path: url.path, reason: error.localizedDescription)
    }
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else { throw CollectorError.directoryInUse(path: url.path) }
    do {
      // SQLite gives the files beside it the permissions of this one.
      try PrivateFiles.create(index)
      for name in Self.names { try PrivateFiles.tighten(path + "/" + name) }
    } catch {
      throw CollectorError.directoryUnusable(path: url.path, reason: "\(error)")
    }
  }

  /// Another one may use it, though somebody still knows of this one.
  func release() { _ = flock(lock.number, LOCK_UN) }

  /// All that the collector keeps there.
  private static let names = [
    "lock", "index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal", "ingest", "replays",
    "packs", "symbols", "cache",
  ]

  /// The directory first: then nobody else can put anything into it while the rest is looked at.
  ///
  /// One that holds other things is not the collector's alone, and keeps its permissions, if nobody else may write there:
  /// `--data .` must not close somebody's home.
  private static func close(_ path: String) throws {
    // The way there may have links, which are the user's own business; what they lead to is looked at.
    var status = stat()
    guard stat(path, &status) == 0 else { throw SystemError("stat", path) }
    try PrivateFiles.own(status, path)
    guard status.st_mode & mode_t(S_ISVTX) == 0 else {
      throw PrivateFiles.Foreign(path: path, reason: "is shared by all users: choose a directory of its own")
    }
    let entries = try FileManager.default.contentsOfDirectory(atPath: path)
    if entries.isEmpty || entries.contains("lock") || entries.contains("index.sqlite") {
      return try PrivateFiles.restrict(path, status, to: PrivateFiles.directory)
    }
    guard status.st_mode & 0o022 == 0 else {
      throw PrivateFiles.Foreign(
        path: path, reason: "holds other things, and others may write there: choose a directory of its own")
    }
  }

  var packs: String { path + "/packs" }
  var cache: String { path + "/cache" }
  var incoming: String { path + "/incoming" }
  var ingestLog: String { path + "/ingest" }
  var symbols: URL { URL(filePath: path).appending(path: "symbols") }
  var index: String { path + "/index.sqlite" }
}
