import Foundation

// Records that stay on the device until somebody wants them: read out of order, and sent ahead of the cursor.
extension Journal {
  /// Whether what is not sent is kept on purpose. Then ledgers say how many events are kept, and what goes unsent for its age or for
  /// the budget counts as ``LossReason/expired``.
  ///
  /// - Parameter days: after so many, what nobody wants is removed, once its launch is over and an hour at the latest after it is
  ///   due; nil: nothing is kept on purpose.
  package func setKeeping(days: Double?) {
    guard !store.ring.isForeign else { return }
    store.lock.withLock { store.setKeeping(days: days) }
  }

  /// Nothing is removed for its age until it is known how long things are kept, which somebody says with ``allowExpiry()``.
  package func holdExpiry() { store.lock.withLock { store.isExpiryHeld = true } }

  /// What is too old may go from now on.
  package func allowExpiry() {
    let wasHeld = store.lock.withLock {
      defer { store.isExpiryHeld = false }
      return store.isExpiryHeld
    }
    if wasHeld { keeper.wake() }
  }

  /// The ranges of a launch that are to be sent: they go last when room is needed, and age does not remove them.
  package func setWanted(_ ranges: [Range<UInt64>], of launch: LaunchID) {
    let isNews = locked(launch) { launch in
      defer { launch.wanted = ranges }
      return launch.isUnseen(isKeeping: store.isKeeping)
    }
    guard isNews == true else { return }
    // Until now all of it was held back.
    store.lock.withLock { store.isExpiryDue = true }
    keeper.wake()
  }

  /// The next records in some ranges that have not been sent, wherever the cursor is: the same again, until they are acknowledged
  /// with ``acknowledgeAhead(_:upTo:)``.
  ///
  /// - Parameters:
  ///   - ranges: sorted and disjoint; each begins where a record does. What of them is gone, or not written yet, is passed over.
  ///   - maximumBytes: roughly the most that the records may take; one record is always read.
  ///   - maximumRecords: the most records.
  ///   - isUrgent: also when so much of the launch was sent out of order that no more of it is remembered than a reserve for this.
  package func readAhead(
    _ launch: LaunchID, in ranges: [Range<UInt64>], maximumBytes: Int, maximumRecords: Int, isUrgent: Bool = false
  ) -> AheadRead {
    locked(launch) {
      store.readAhead(
        $0, in: ranges, maximumBytes: maximumBytes, maximumRecords: maximumRecords, isUrgent: isUrgent)
    } ?? .nothing
  }

  /// The receiver has what was read ahead, up to a position: it counts as delivered, or as ``reject(_:_:reason:)`` has said, and is
  /// not read again. One step, which a killed process has taken or not.
  package func acknowledgeAhead(_ launch: LaunchID, upTo position: UInt64) {
    locked(launch) { store.acknowledgeAhead($0, upTo: position) }
  }

  /// Moves the cursor of an earlier launch past what has been sent ahead of it.
  package func passSent(_ launch: LaunchID) {
    locked(launch) { if !$0.isOwn { store.passSent($0) } }
  }

  /// What was noted of a launch by ``setNote(_:of:)``, and whether that is known: not while the file cannot be read.
  package func readNote(of launch: LaunchID) -> (note: [UInt8]?, isKnown: Bool) {
    locked(launch) { ($0.keeping.readAgain(), $0.keeping.note) }.map { ($1, $0) } ?? (nil, true)
  }

  package func note(of launch: LaunchID) -> [UInt8]? { readNote(of: launch).note }

  /// Notes something of a launch, which whoever takes it over finds; in one step, which a killed process has taken or not.
  ///
  /// - Returns: false when it could not be written down. It holds in this process all the same.
  @discardableResult
  package func setNote(_ note: [UInt8]?, of launch: LaunchID) -> Bool {
    locked(launch) {
      $0.keeping.setNote(note, acknowledged: $0.ledger.account.acknowledged, isKept: store.isDurable && !store.isParked)
    } ?? false
  }

  /// Goes through a launch's records from a position on, whether they have been sent or not, as long as they are there.
  ///
  /// - Parameters:
  ///   - position: where to begin: 0, or where the call before stopped.
  ///   - maximumBytes: roughly the most to look at in one call, in bytes.
  ///   - body: gets each record's kind, its position, the position after it, and its payload, which is valid for that long. It must
  ///     not use the journal.
  /// - Returns: where to go on, and whether that is the end of what can be read now; `isHeldUp`: there is more, which cannot.
  package func walk(
    _ launch: LaunchID, from position: UInt64, maximumBytes: Int,
    _ body: (RecordKind, UInt64, UInt64, UnsafeRawBufferPointer) -> Void
  ) -> (next: UInt64, isEnd: Bool, isHeldUp: Bool) {
    locked(launch) { store.walk($0, from: position, maximumBytes: maximumBytes, body) } ?? (position, true, false)
  }

  /// The position after the last record between two positions for which `matches` says yes; the first of them when there is none.
  /// Reads backwards, a segment at a time. `matches` must not use the journal.
  package func positionAfterLast(
    of launch: LaunchID, from start: UInt64 = 0, before end: UInt64,
    where matches: (RecordKind, UnsafeRawBufferPointer) -> Bool
  ) -> UInt64 {
    locked(launch) { store.positionAfterLast(of: $0, from: start, before: end, where: matches) } ?? start
  }

  /// How many bytes of positions a segment of a launch has: two positions are in one segment when they divide to the same number.
  package func segmentCapacity(of launch: LaunchID) -> UInt64 { locked(launch) { max(1, $0.capacity) } ?? .max }

  /// How much of a launch is on the device, in bytes: whole segments.
  package func bytesOnDisk(of launch: LaunchID) -> Int { locked(launch) { $0.segments.total } ?? 0 }

  /// The records of some kinds that stand before a position, in its segment and in the one before that.
  package func records(of kinds: RecordKinds, launch: LaunchID, before end: UInt64) -> [JournalRecord] {
    guard let capacity = locked(launch, { $0.capacity }) else { return [] }
    var position = (end / max(1, capacity)).subtracting(saturating: 1) &* capacity
    var records: [JournalRecord] = []
    while position < end {
      let walked = walk(launch, from: position, maximumBytes: 1 << 20) { kind, at, _, payload in
        if at < end, kinds.contains(kind) {
          records.append(JournalRecord(position: at, kind: kind, payload: Array(payload)))
        }
      }
      position = walked.next
      if walked.isEnd { break }
    }
    return records
  }
}

/// What there is in some ranges of a launch that has not been sent.
package enum AheadRead {
  /// The next of it. Between the chunk's records there may be others, which are not in it.
  case chunk(JournalChunk)
  /// Nothing: it has been sent, or is gone.
  case nothing
  /// Something that cannot be read now, or not be remembered as sent.
  case later

  package var chunk: JournalChunk? { if case .chunk(let chunk) = self { chunk } else { nil } }
}
