import Foundation

/// Copies of a data directory, made beside a collector that runs, one directory each.
///
///     let backup = try Backup.make(of: data, in: backups) { done, total in … }
///     try Backup.restore(backup.directory, to: newData)
public enum Backup {
  public struct Made: Sendable {
    public var directory: URL
    public var manifest: BackupManifest
    /// Bytes that were copied; the rest is shared with the backup before.
    public var copied: Int64
    /// Where projects, keys and decisions are, of which this has no copy; nil: it has.
    public var stateElsewhere: String?
    /// The same of what apps recorded.
    public var telemetryElsewhere: String?
  }

  public typealias Progress = (_ done: Int64, _ total: Int64) -> Void

  /// Makes a backup of everything that was acknowledged when this was called; what comes meanwhile may be in it.
  ///
  /// Files that have not changed since the newest backup in the same directory are hard links to it: a backup of each day costs
  /// what came that day, and each is whole without the others.
  ///
  /// - Parameters:
  ///   - backups: a directory of its own, for several backups. Not within the data directory.
  ///   - keep: that many are kept, the newest; nil: all.
  /// - Throws: ``BackupError``, or what the system or the database says. What was there before is as it was.
  public static func make(
    of data: URL, in backups: URL, keep: Int? = nil, now: Date = Date(), progress: Progress = { _, _ in }
  ) throws -> Made {
    try checkPlaces(data, backups)
    let stage = try BackupStage(of: data)
    defer { stage.remove() }
    try PrivateFiles.createDirectory(backups.path)
    let before = try? newest(in: backups)
    let name = Self.name(now)
    let target = backups.appending(path: name)
    guard !FileManager.default.fileExists(atPath: target.path) else {
      throw BackupError("\(target.path) is there already: wait a second")
    }
    let partial = backups.appending(path: partialPrefix + name)
    try? FileManager.default.removeItem(at: partial)
    do {
      let (files, copied) = try fill(partial, from: stage, before, progress)
      let manifest = BackupManifest(
        collector: Collector.version, createdAt: stage.readAt, sessions: stage.sessions, events: stage.events,
        files: files)
      try manifest.write(to: partial)
      try FileBytes.syncDirectory(partial.path)
      guard rename(partial.path, target.path) == 0 else { throw SystemError("rename", target.path) }
      try FileBytes.syncDirectory(backups.path)
      try forget(in: backups, keep: keep)
      return Made(
        directory: target, manifest: manifest, copied: copied, stateElsewhere: stage.stateElsewhere,
        telemetryElsewhere: stage.telemetryElsewhere)
    } catch {
      try? FileManager.default.removeItem(at: partial)
      throw error
    }
  }

  /// Reads all of a backup, and compares it with what was written.
  ///
  /// - Parameter backup: a backup, or a directory of several: then the newest.
  /// - Throws: ``BackupError`` that names the first file that is not as it was.
  @discardableResult
  public static func check(_ backup: URL, progress: Progress = { _, _ in }) throws -> Made {
    let directory = try whole(backup)
    let manifest = try BackupManifest(reading: directory)
    var done: Int64 = 0
    for file in manifest.files {
      let path = directory.appending(path: file.path).path
      guard try PrivateFiles.status(path)?.st_size == off_t(file.size),
        try DurableFile.sha256(of: path, progress: { progress(done + $0, manifest.bytes) }) == file.sha256
      else { throw damaged(path) }
      done += file.size
    }
    return Made(directory: directory, manifest: manifest, copied: 0)
  }

  // MARK: Parts

  static let partialPrefix = "incomplete-"

  /// `2026-11-25T20-30-00Z`: in order, and a name on every file system.
  static func name(_ date: Date) -> String {
    date.formatted(.iso8601).replacing(":", with: "-")
  }

  /// Those that are whole, oldest first.
  static func all(in backups: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: backups.path)
      .filter { !$0.hasPrefix(partialPrefix) }.sorted().map { backups.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.appending(path: BackupManifest.name).path) }
  }

  private static func newest(in backups: URL) throws -> (directory: URL, manifest: BackupManifest)? {
    try all(in: backups).last.map { ($0, try BackupManifest(reading: $0)) }
  }

  /// - Throws: ``BackupError`` when there is none.
  static func whole(_ backup: URL) throws -> URL {
    if FileManager.default.fileExists(atPath: backup.appending(path: BackupManifest.name).path) { return backup }
    guard let newest = try? all(in: backup).last else {
      throw BackupError("\(backup.path) is no backup, and holds none")
    }
    return newest
  }

  private static func checkPlaces(_ data: URL, _ backups: URL) throws {
    let (data, backups) = (data.resolvingSymlinksInPath().path, backups.resolvingSymlinksInPath().path)
    guard backups != data, !backups.hasPrefix(data + "/") else {
      throw BackupError("backups must not lie in the data directory: what deletes one would delete both")
    }
  }

  private static func fill(
    _ partial: URL, from stage: BackupStage, _ before: (directory: URL, manifest: BackupManifest)?,
    _ progress: Progress
  ) throws -> (files: [BackupManifest.File], copied: Int64) {
    try PrivateFiles.createDirectory(partial.path)
    let known = Dictionary((before?.manifest.files ?? []).map { ($0.path, $0) }) { $1 }
    let paths = try stage.files()
    let total = paths.reduce(Int64(0)) { $0 + size(stage.directory + "/" + $1) }
    var (files, copied, done): ([BackupManifest.File], Int64, Int64) = ([], 0, 0)
    var folders: Set<String> = []
    for path in paths {
      let (source, target) = (stage.directory + "/" + path, partial.appending(path: path).path)
      let folder = (target as NSString).deletingLastPathComponent
      if folders.insert(folder).inserted { try PrivateFiles.createDirectory(folder) }
      guard let status = try PrivateFiles.status(source) else { continue }
      let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
      if let old = known[path], let before, old.size == Int64(status.st_size), old.modified == modified,
        link(before.directory.appending(path: path).path, target) == 0
      {
        files.append(old)
      } else {
        let (size, hash) = try DurableFile.copy(source, to: target) { progress(done + $0, total) }
        files.append(.init(path: path, size: size, sha256: hash, modified: modified))
        copied += size
      }
      done += Int64(status.st_size)
      progress(done, total)
    }
    for folder in folders { try FileBytes.syncDirectory(folder) }
    return (files, copied)
  }

  private static func size(_ path: String) -> Int64 {
    (try? FileBytes.size(path)) ?? 0
  }

  private static func forget(in backups: URL, keep: Int?) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: backups.path) where name.hasPrefix(partialPrefix) {
      try? FileManager.default.removeItem(at: backups.appending(path: name))
    }
    guard let keep else { return }
    for old in try all(in: backups).dropLast(max(keep, 1)) { try FileManager.default.removeItem(at: old) }
  }
}
