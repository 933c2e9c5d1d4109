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
    let named = Set(chunk.events.compactMap(\.reference?.id))
    guard named.contains(where: { known[$0] == nil && !missing.contains($0) }) else { return }
    for record in journal.lastRecords(of: [.context], limit: Self.limit, launch: launch) {
      learn(position: record.position, payload: record.payload)
    }
    if missing.count > Self.limit { missing = [] }
    missing.formUnion(named.filter { known[$0] == nil })
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
