import AutoMobileJournal
import AutoMobileSupport

/// The contexts of one launch, by number, as far as its records have been read.
struct LaunchContexts {
  struct Known {
    /// Where a record with this context stands.
    var position: UInt64
    var payload: [UInt8]
    var members: ContextExpander.Members
  }

  let launch: LaunchID
  private var known: [UInt64: Known] = [:]
  /// Numbers that were looked for in vain: their record is damaged or gone.
  private var missing: Set<UInt64> = []

  /// What is kept from one chunk to the next. An app that changes its context with every event must not fill the memory;
  /// what is forgotten is read again.
  private static let limit = 256

  init(launch: LaunchID) { self.launch = launch }

  subscript(id: UInt64) -> Known? { known[id] }

  /// Remembers the contexts in a chunk, and looks in the journal for those that its events name and that are not here:
  /// they stand in records that were acknowledged earlier, maybe by an earlier process.
  mutating func learn(from chunk: JournalChunk, journal: Journal) {
    if known.count > Self.limit {
      for id in known.keys.ordered().dropLast(Self.limit) { known[id] = nil }
    }
    for record in chunk.records where record.kind == .context {
      learn(position: record.position, payload: Array(chunk.bytes[record.payload]))
    }
    // Where each is named first: what is read ahead may begin in the middle, and a context that is repeated in it stands too late for
    // the events before.
    var named: [UInt64: UInt64] = [:]
    for event in chunk.events {
      if let id = event.reference?.id, named[id] == nil { named[id] = event.position }
    }
    func isUnknown(_ id: UInt64, _ first: UInt64) -> Bool { known[id].map { $0.position > first } ?? true }
    guard named.contains(where: { isUnknown($0, $1) && !missing.contains($0) }) else { return }
    for record in journal.lastRecords(of: [.context], limit: Self.limit, launch: launch) {
      learn(position: record.position, payload: record.payload)
    }
    if named.contains(where: { isUnknown($0, $1) }), let first = chunk.records.first?.position {
      // Many have come since: those that held there stand before it in its segment, or in the one before.
      for record in journal.records(of: [.context], launch: chunk.launch, before: first) {
        learn(position: record.position, payload: record.payload)
      }
    }
    if missing.count > Self.limit { missing = [] }
    missing.formUnion(named.keys.filter { known[$0] == nil })
  }

  private mutating func learn(position: UInt64, payload: [UInt8]) {
    guard let members = payload.withUnsafeBytes({ ContextExpander.Members(contextRecord: $0) }) else { return }
    // The first record of a context is the one that stands before all its events.
    if let earlier = known[members.id], earlier.position <= position { return }
    known[members.id] = Known(position: position, payload: payload, members: members)
  }
}

/// An event in a chunk.
struct ChunkEvent {
  /// Its index among the chunk's records.
  var index: Int
  var position: UInt64
  var payload: Range<Int>
  var reference: ContextReference?
}

extension JournalChunk {
  /// The records that are events, in order.
  var events: [ChunkEvent] {
    bytes.withUnsafeBytes { bytes in
      records.enumerated().compactMap { index, record in
        guard record.kind == .event || record.kind == .eventAndBreadcrumb else { return nil }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[record.payload])
        return ChunkEvent(
          index: index, position: record.position, payload: record.payload, reference: ContextReference(in: payload))
      }
    }
  }

  /// Up to where to acknowledge when the records up to and including one have been dealt with.
  func end(of index: Int) -> UInt64 { index + 1 < records.count ? records[index + 1].position : to }
}
