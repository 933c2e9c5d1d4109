import CAutoMobile
import Foundation

/// Where records go now.
public enum JournalStatus: Sendable, Equatable {
  /// Into files: they survive the process.
  case durable
  /// Into a little memory, because the directory cannot be used; it is tried again, and then all is moved over.
  case memory(reason: String)
  /// Nowhere, until there is room again: records are dropped and counted.
  case stalled(reason: String)
}

// A directory that cannot be used yet, or is lost while the journal is open.
extension JournalStore {
  /// A ledger in a file, or in memory and why.
  ///
  /// - Parameter isKept: false when the directory is left alone for now.
  static func openLedger(
    _ identity: FileIdentity, in directory: JournalDirectory, isKept: Bool = true
  ) throws(StorageError) -> (LedgerFile, StorageError?) {
    let name = JournalFileName.ledger(identity.launch, claimer: nil)
    let path = directory.path(of: name)
    do throws(StorageError) {
      guard isKept else { throw StorageError("keep what is recorded while it is not wanted", code: ECANCELED) }
      try directory.create()
      let ledger = try directory.create(name) { file throws(StorageError) in
        try LedgerFile(identity: identity, file: file, path: path)
      }
      return (ledger, nil)
    } catch {
      return (try LedgerFile(identity: identity, file: nil, path: path), error)
    }
  }

  /// Makes a new ledger file when there is none, or none any more.
  func restoreLedger() {
    let path = directory.path(of: own.ledgerName)
    if isDurable, access(path, F_OK) == 0 { return carryOver() }
    guard let (ledger, failure) = try? Self.openLedger(identity, in: directory), let mapping = ledger.mapping else {
      return
    }
    if let failure {
      // A full disk does not take away what is there: without a file, records stay where they are until there is one.
      if !isDurable { self.failure = failure }
      return
    }
    replaceLedger(ledger, mapping)
    own.keeping.restore(acknowledged: own.ledger.account.acknowledged)
    isDurable = true
    self.failure = nil
  }

  /// Counts in another ledger from now on, which knows what was counted before.
  func replaceLedger(_ ledger: LedgerFile, _ mapping: UnsafeMutableRawPointer) {
    var account = own.ledger.account
    account.carried = published.ledger.counts
    ledger.commit(account)
    let before = published.ledger
    published.ledger = OwnLedger(
      file: ledger, earlier: before.earlier + [before.file], account: ledger.account, ahead: before.ahead,
      isKeeping: before.isKeeping)
    own.ledger = ledger
    // A call that is counting right now counts in the file before: `carryOver` adds it.
    am_journal_set_ledger(ring.shared, mapping)
  }

  /// Writes down what has been counted in earlier ledgers.
  private func carryOver() {
    guard !published.ledger.earlier.isEmpty else { return }
    let counts = published.ledger.countsOfEarlier
    guard counts != own.ledger.account.carried else { return }
    var account = own.ledger.account
    account.carried = counts
    commit(account, of: own)
  }

  /// Whether memory has room for one more segment, if need be after evicting the oldest.
  func makeRoomInMemory(for index: UInt64) -> Bool {
    let most = min(max(2, options.memoryBudget / max(1, own.segmentSize)), Int(AM_JOURNAL_SLOTS) - 1)
    while volatile.count >= most || !ring.canHold(index) {
      guard let oldest = volatile.min(), mayGo(oldest, of: own), discard(oldest, of: own, as: .evicted) else {
        return false
      }
    }
    return true
  }

  /// Writes the segments in memory to files, now that there can be some.
  func moveOver() {
    if volatile.contains(ring.current) { _ = am_journal_roll(ring.shared) }
    for index in volatile.sorted() where ring.isComplete(index) {
      guard let bytes = ring.records(index) else { continue }
      do throws(StorageError) {
        try makeSegment(index) { file throws(StorageError) in
          try file.write(UInt64(clamping: ring.capacity), at: Int(AM_SEGMENT_CURSOR))
          try file.write(bytes, at: SegmentRing.header)
        }
        own.segments[index] = own.segmentSize
        volatile.remove(index)
      } catch {
        failure = error
        return
      }
    }
  }

  func publishStatus() {
    published.status =
      if !isDurable || !volatile.isEmpty {
        .memory(reason: failure?.description ?? "not moved over yet")
      } else if let failure {
        .stalled(reason: failure.description)
      } else {
        .durable
      }
  }
}
