import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The files of sessions that may begin: made before anybody is told that something is recorded, so that a disk which takes nothing is
/// told of, too.
final class PreparedSessions: Sendable {
  struct Files: Sendable {
    let directory: SessionDirectory
    let journal: SessionJournal
  }

  private let root: URL
  private let owner: String
  private let options: SessionJournalOptions
  private let files = Locked<[UInt64: Files]>([:])

  init(root: URL, owner: String, options: SessionJournalOptions) {
    self.root = root
    self.owner = owner
    self.options = options
  }

  /// Makes them for an attempt. Waits for the disk, on a thread that nobody else waits for.
  ///
  /// - Returns: false when there is no room, or no place.
  func make(_ id: String, generation: UInt64, at time: Int64) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [self] in
        continuation.resume(returning: make(id, generation, time))
      }
    }
  }

  private func make(_ id: String, _ generation: UInt64, _ time: Int64) -> Bool {
    let directory = SessionDirectory(id: id, in: root)
    guard (try? directory.make()) != nil,
      let journal = try? SessionJournal(new: directory, owner: owner, options: options)
    else {
      directory.remove()
      return false
    }
    var checkpoint = Checkpoint.none
    checkpoint.at = time
    guard journal.isOnDisk(checkpoint) else {
      journal.closeAndWait()
      directory.remove()
      return false
    }
    files.withLock { $0[generation] = Files(directory: directory, journal: journal) }
    return true
  }

  /// Those of a session that begins.
  func take(_ id: String) -> Files? {
    files.withLock { files in
      guard let found = files.first(where: { $0.value.directory.id == id }) else { return nil }
      return files.removeValue(forKey: found.key)
    }
  }

  /// The attempt came to nothing.
  ///
  /// - Parameter done: called with the session's id when its files are gone; at once and with nil when there are none.
  func discard(generation: UInt64, done: @escaping @Sendable (String?) -> Void) {
    guard let files = files.withLock({ $0.removeValue(forKey: generation) }) else { return done(nil) }
    DispatchQueue.global(qos: .utility).async {
      files.journal.closeAndWait()
      files.directory.remove()
      done(files.directory.id)
    }
  }
}
