import Foundation
import GRDB

extension Backup {
  /// Puts a backup where a collector can use it.
  ///
  /// - Parameters:
  ///   - backup: a backup, or a directory of several: then the newest.
  ///   - data: a directory that does not exist yet, or is empty.
  /// - Throws: ``BackupError``; then there is nothing at `data`.
  @discardableResult
  public static func restore(_ backup: URL, to data: URL, progress: Progress = { _, _ in }) throws -> Made {
    let directory = try whole(backup)
    let manifest = try BackupManifest(reading: directory)
    if let there = try? FileManager.default.contentsOfDirectory(atPath: data.path), !there.isEmpty {
      throw BackupError("\(data.path) is not empty: restore into a new directory, and move it afterwards")
    }
    let parent = data.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    let partial = parent.appending(path: partialPrefix + data.lastPathComponent)
    try? FileManager.default.removeItem(at: partial)
    do {
      try PrivateFiles.createDirectory(partial.path)
      var done: Int64 = 0
      for file in manifest.files {
        let target = partial.appending(path: file.path).path
        try PrivateFiles.createDirectory((target as NSString).deletingLastPathComponent)
        let source = directory.appending(path: file.path).path
        do {
          let copy = try DurableFile.copy(source, to: target) { progress(done + $0, manifest.bytes) }
          guard copy == (file.size, file.sha256) else { throw damaged(source) }
        } catch let error as SystemError where error.path == source {
          throw damaged(source)
        }
        done += file.size
      }
      try checkIndex(partial)
      if rmdir(data.path) != 0, errno != ENOENT { throw SystemError("rmdir", data.path) }
      guard rename(partial.path, data.path) == 0 else { throw SystemError("rename", data.path) }
      try FileBytes.syncDirectory(parent.path)
      return Made(directory: directory, manifest: manifest, copied: done)
    } catch {
      try? FileManager.default.removeItem(at: partial)
      throw error
    }
  }

  static func damaged(_ path: String) -> BackupError {
    BackupError("\(path) is missing or damaged: take another backup")
  }

  /// That the database is one, and of a collector that this one can go on from.
  private static func checkIndex(_ data: URL) throws {
    let path = data.appending(path: "index.sqlite").path
    var configuration = Configuration()
    configuration.readonly = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? queue.close() }
      let (answer, isNewer) = try queue.read {
        (try String.fetchOne($0, sql: "PRAGMA quick_check(1)"), try Schema.migrator.hasBeenSuperseded($0))
      }
      guard answer == "ok" else { throw BackupError("the index in the backup is damaged: \(answer ?? "")") }
      guard !isNewer else { throw BackupError("a newer collector made this backup: update this one") }
    } catch let error as DatabaseError {
      throw BackupError("the index in the backup cannot be read: \(error)")
    }
  }
}
