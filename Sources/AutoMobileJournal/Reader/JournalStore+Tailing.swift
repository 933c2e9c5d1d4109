// Looking on while records are written, without taking part in their delivery.
extension JournalStore {
  /// Records of this launch, from a position on.
  func tail(from start: UInt64, maximumBytes: Int, maximumRecords: Int) -> JournalTail {
    var tail = JournalTail(records: [], next: start)
    var size = 0
    while true {
      let index = tail.next / max(1, own.capacity)
      guard index <= ring.current else { return tail }
      let opened = withRecords(of: own, index) { bytes, writers -> Bool in
        var walker = SegmentWalker(
          codec: RecordCodec(launch: own.id), bytes: bytes, base: own.base(of: index),
          from: Int(clamping: tail.next % max(1, own.capacity)), writers: writers)
        while tail.records.count < maximumRecords, size < maximumBytes {
          switch walker.next() {
          case .unpublished: return false
          case .end:
            let isFull = writers == .gone || walker.offset > Int(clamping: own.capacity) &- RecordHeader.size
            if isFull { tail.next = own.end(of: index) }
            return isFull
          case .torn, .damaged: break
          case .record(let kind, let position, let payload):
            tail.records.append(JournalRecord(position: position, kind: kind, payload: Array(bytes[payload])))
            size += payload.count
          }
          tail.next = walker.base &+ UInt64(clamping: walker.offset)
        }
        return false
      }
      switch opened {
      case .records(let goesOn): guard goesOn else { return tail }
      // Delivered and removed: what comes after it is still there.
      case .missing: tail.next = own.end(of: index)
      case .unreadable: return tail
      }
    }
  }

  /// The position after the last that this launch's writers have reserved.
  var end: UInt64 {
    let index = ring.current
    return own.base(of: index) &+ UInt64(clamping: ring.reserved(index))
  }
}

/// What a look at the journal's end found.
public struct JournalTail: Sendable, Equatable {
  /// In the order of their positions.
  public var records: [JournalRecord]
  /// Where the next look begins.
  public var next: UInt64
}

extension Journal {
  /// This launch's records from a position on, whether they have been acknowledged or not, as long as they are there.
  ///
  /// For whoever shows what is recorded while it is recorded: it changes nothing, and stops at a record that is still
  /// being written.
  ///
  /// - Parameters:
  ///   - position: where to begin: 0, ``end``, or where the call before stopped.
  ///   - maximumBytes: roughly the most that the payloads may take; one record is always read.
  ///   - maximumRecords: the most records.
  public func tail(from position: UInt64, maximumBytes: Int, maximumRecords: Int) -> JournalTail {
    guard !store.ring.isForeign else { return JournalTail(records: [], next: position) }
    return store.lock.withLock {
      store.tail(from: position, maximumBytes: maximumBytes, maximumRecords: maximumRecords)
    }
  }

  /// The position that the next record will have, or a later one. Any thread, never waits.
  public var end: UInt64 { store.end }

  /// Why records go into memory, or are lost, in words; nil while the disk takes them. Any thread, never waits.
  public var failure: String? {
    switch status {
    case .durable: nil
    case .memory(let reason), .stalled(let reason): reason
    }
  }
}
