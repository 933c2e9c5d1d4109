import Foundation
import GRDB

/// Holds on to everything that a backup copies, while the collector goes on: its index as it was at one moment, and hard links to
/// the files that the index speaks of. What the collector deletes meanwhile is kept by its link.
///
/// Files are linked before the index is read and once more afterwards: what it speaks of was there at one of the two times. The
/// log is linked in the same way, so all that is not in the index yet is in the log.
struct BackupStage {
  let directory: String
  /// Of the index, milliseconds since 1970.
  private(set) var readAt: Int64 = 0
  private(set) var sessions = 0
  private(set) var events = 0
  /// Where the state is; nil: in the index.
  private(set) var stateElsewhere: String?
  /// Where telemetry is; nil: in the index.
  private(set) var telemetryElsewhere: String?
  private let data: String
  /// One backup of a directory at a time; held until the process ends or this goes.
  private let lock: FileDescriptor

  static let name = "backup-stage"
  private static let index = "index.sqlite"
  /// Directories of files that are only appended to, or never changed.
  private static let linked = ["ingest", "packs", "replays", "symbols"]

  /// - Throws: ``BackupError``, ``SystemError``, or what the database says.
  init(of data: URL) throws {
    self.data = data.path
    directory = data.path + "/" + Self.name
    guard FileManager.default.fileExists(atPath: data.path + "/" + Self.index) else {
      throw BackupError("\(data.path) holds no recordings: it has no \(Self.index)")
    }
    lock = try FileDescriptor(
      creating: data.path + "/backup.lock", flags: O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
      permissions: PrivateFiles.file)
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
      throw BackupError("another backup of \(data.path) is running")
    }
    // What one that was killed left behind.
    remove()
    try PrivateFiles.createDirectory(directory)
    do {
      try linkAll()
      try copyIndex()
      try linkAll()
      try dropIndexedLog()
    } catch {
      remove()
      throw error
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: directory) }

  /// All files, by their path below the data directory.
  func files() throws -> [String] {
    try Self.files(below: directory)
  }

  /// The regular files below a directory, in order; links are none.
  static func files(below directory: String) throws -> [String] {
    var (found, left): ([String], [String]) = ([], [""])
    while let folder = left.popLast() {
      for name in try FileManager.default.contentsOfDirectory(atPath: directory + folder) {
        let path = folder + "/" + name
        switch try PrivateFiles.status(directory + path).map({ $0.st_mode & S_IFMT }) {
        case mode_t(S_IFDIR)?: left.append(path)
        case mode_t(S_IFREG)?: found.append(String(path.dropFirst()))
        default: break
        }
      }
    }
    return found.sorted()
  }

  private func linkAll() throws {
    for folder in Self.linked where FileManager.default.fileExists(atPath: data + "/" + folder) {
      for path in try Self.files(below: data + "/" + folder) {
        let target = directory + "/" + folder + "/" + path
        try PrivateFiles.createDirectory((target as NSString).deletingLastPathComponent)
        guard link(data + "/" + folder + "/" + path, target) == 0 || errno == EEXIST || errno == ENOENT else {
          throw SystemError("link", target)
        }
      }
    }
  }

  /// All of it at one moment, whatever is written meanwhile: one read transaction.
  private mutating func copyIndex() throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(10)
    let source = try DatabaseQueue(path: data + "/" + Self.index, configuration: configuration)
    defer { try? source.close() }
    try PrivateFiles.create(directory + "/" + Self.index)
    let copy = try DatabaseQueue(path: directory + "/" + Self.index)
    defer { try? copy.close() }
    readAt = WallClock.now
    try source.backup(to: copy)
    (sessions, events, stateElsewhere, telemetryElsewhere) = try copy.write { database in
      // The copy is one file, wherever it goes.
      (
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM session") ?? 0,
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM event") ?? 0,
        // An index of an older collector has no such table.
        try database.tableExists("state_place") ? try StateMark.place(in: database) : nil,
        try database.tableExists("setting") ? try TelemetryMark.place(in: database) : nil
      )
    }
    try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
  }

  /// What the index holds need not be kept twice.
  private func dropIndexedLog() throws {
    let indexed = try DatabaseQueue(path: directory + "/" + Self.index).read { database in
      try Int64.fetchOne(database, sql: "SELECT segment FROM log_position") ?? 0
    }
    let log = try LogDirectory(path: directory + "/ingest")
    for (segment, _) in try log.segments() where segment < UInt64(bitPattern: indexed) { log.remove(segment) }
  }
}
