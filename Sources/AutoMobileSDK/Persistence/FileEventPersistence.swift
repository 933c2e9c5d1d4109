import AutoMobileJournal
import Foundation

/// Batches as files of journal records, one file each, first in, first out. Safe from any thread; every call blocks on
/// the disk.
///
/// A file that cannot be read now is kept and tried again; one that is damaged is renamed to `.damaged`. Neither keeps
/// the others from being read. The SDK itself records into its journal and needs none of this; it is for apps that
/// build a pipeline of their own.
public final class FileEventPersistence: EventPersisting, @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `own`.
  private let directory: BatchDirectory
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
    self.directory = BatchDirectory(directory)
    self.wallClock = wallClock
    self.continuousClock = continuousClock
    own.withLock { $0.last = self.directory.batches().last?.stamp ?? 0 }
  }

  /// Writes a batch.
  ///
  /// - Returns: its id, or nil when it could not be written; then nothing is left of it.
  @discardableResult
  public func persist(_ events: [any SdkEvent]) -> String? {
    let payloads = events.compactMap { event in try? withEncodedEvent(event, contextId: nil) { Array($0) } }
    guard !payloads.isEmpty, payloads.count == events.count else { return nil }
    let now = continuousClock()
    let batch = BatchFile(stamp: nextStamp())
    guard let bytes = batch.encode(payloads), directory.write(bytes, as: batch) else { return nil }
    own.withLock { $0.written[batch.name] = now }
    let excess = directory.batches().dropLast(BatchDirectory.maximumCount)
    excess.forEach { directory.remove($0) }
    return batch.name
  }

  public func loadPending() -> [(batchId: String, events: [any SdkEvent])] {
    directory.batches().compactMap { batch in
      switch directory.read(batch) {
      case .payloads(let payloads):
        return (batch.name, payloads.compactMap { try? SdkEventDecoder.decode(Data($0)) })
      case .unreadable: return nil
      case .damaged:
        directory.setAside(batch)
        return nil
      }
    }
  }

  public func removeBatch(_ batchId: String) {
    // Only a name of ours becomes a path.
    guard let batch = BatchFile(name: batchId) else { return }
    directory.remove(batch)
    own.withLock { $0.written[batch.name] = nil }
  }

  /// Removes what is older, damaged files as well. A batch of this process is judged by a clock that does not jump.
  public func cleanup(maxAgeDays: Int = 7) {
    let day: Int64 = 86_400_000
    let maximum = Int64(min(max(0, maxAgeDays), 36_500)) &* day
    let now = wallClock()
    let elapsed = continuousClock()
    let written = own.withLock { $0.written }
    for fileExtension in [BatchFile.fileExtension, BatchFile.damagedExtension] {
      for batch in directory.batches(fileExtension) {
        let age = written[batch.name].map { elapsed &- $0 } ?? (now &- batch.stamp)
        if age > maximum { directory.remove(batch, fileExtension) }
      }
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
