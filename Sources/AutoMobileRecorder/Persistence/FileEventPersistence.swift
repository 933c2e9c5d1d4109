import AutoMobileSupport
import Foundation

/// Batches as JSON files, one file each, first in, first out: `events_<milliseconds>_<id>.json`, as AutoMobile's own SDK reads and
/// writes them. Safe from any thread; every call blocks on the disk.
///
/// A file that cannot be read now is kept and tried again; one that is damaged is removed. Neither keeps the others from being read.
/// The SDK itself records into its journal and needs none of this; it is for apps that build a pipeline of their own. Give it a
/// directory of its own: in `Library/Caches/automobile_events/` the SDK takes what it finds for what AutoMobile's own SDK has left,
/// and delivers it, unless a persistence of this process uses that directory.
public final class FileEventPersistence: EventPersisting, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `own`.
  private let directory: EventDirectory
  /// The batches of this process, and when they were written, on a clock that does not jump.
  private let own = Locked<(last: Int64, written: [String: Int64])>((0, [:]))
  private let wallClock: @Sendable () -> Int64
  private let continuousClock: @Sendable () -> Int64

  /// Creates the directory when it is missing.
  public convenience init(directory: URL) {
    self.init(
      directory: directory, wallClock: Clocks.millisecondsSince1970, continuousClock: Clocks.continuousMilliseconds)
  }

  init(
    directory: URL, wallClock: @escaping @Sendable () -> Int64, continuousClock: @escaping @Sendable () -> Int64
  ) {
    self.directory = EventDirectory(directory)
    self.wallClock = wallClock
    self.continuousClock = continuousClock
    EventDirectoriesInUse.add(directory)
    self.directory.create()
    own.withLock { $0.last = self.directory.files().last?.stamp ?? 0 }
  }

  deinit { EventDirectoriesInUse.remove(directory.url) }

  /// Writes a batch.
  ///
  /// - Returns: its id, or nil when it could not be written; then nothing is left of it.
  @discardableResult
  public func persist(_ events: [any SdkEvent]) -> String? {
    let entries = events.compactMap { event in
      (try? withEncodedEvent(event, contextId: nil) { Data($0) })
        .map { EventFile.Entry(eventType: event.eventType.rawValue, payload: $0) }
    }
    guard !entries.isEmpty, entries.count == events.count, let data = EventFile.encode(entries) else { return nil }
    let now = continuousClock()
    let file = EventFile(stamp: nextStamp())
    guard directory.write(data, as: file) else { return nil }
    own.withLock { $0.written[file.batchId] = now }
    let excess = directory.files().dropLast(EventDirectory.maximumCount)
    excess.forEach { directory.remove($0) }
    return file.batchId
  }

  public func loadPending() -> [(batchId: String, events: [any SdkEvent])] {
    directory.files().compactMap { file in
      switch directory.entries(file) {
      case .entries(let entries):
        let events = entries.compactMap { try? SdkEventDecoder.decode($0.payload) }
        if !events.isEmpty { return (file.batchId, events) }
        directory.remove(file)
      case .damaged: directory.remove(file)
      case .unreadable, .missing: break
      }
      return nil
    }
  }

  public func removeBatch(_ batchId: String) {
    // Only a name of ours becomes a path.
    guard let file = EventFile(batchId: batchId) else { return }
    directory.remove(file)
    own.withLock { $0.written[file.batchId] = nil }
  }

  /// Removes what is older. A batch of this process is judged by a clock that does not jump.
  public func cleanup(maxAgeDays: Int = 7) {
    let day: Int64 = 86_400_000
    let maximum = Int64(min(max(0, maxAgeDays), 36_500)) &* day
    let now = wallClock()
    let elapsed = continuousClock()
    let written = own.withLock { $0.written }
    for file in directory.files() {
      let age = written[file.batchId].map { elapsed &- $0 } ?? (now &- file.stamp)
      if age > maximum { directory.remove(file) }
    }
  }

  /// Now, but always later than the batch before: the order of names is the order of writing, also when the clock
  /// goes back.
  private func nextStamp() -> Int64 {
    let now = wallClock()
    return own.withLock { own in
      own.last = max(now, own.last &+ 1)
      return own.last
    }
  }
}

/// The directories in which somebody in this process keeps batches, and delivers them himself.
enum EventDirectoriesInUse {
  private static let paths = Locked<[String]>([])

  static func add(_ directory: URL) { paths.withLock { $0.append(path(directory)) } }

  static func remove(_ directory: URL) {
    paths.withLock { paths in
      if let index = paths.firstIndex(of: path(directory)) { paths.remove(at: index) }
    }
  }

  static func contain(_ directory: URL) -> Bool { paths.withLock { $0.contains(path(directory)) } }

  private static func path(_ directory: URL) -> String { directory.standardizedFileURL.resolvingSymlinksInPath().path }
}
