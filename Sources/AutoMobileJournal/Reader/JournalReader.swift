import CAutoMobile
import Foundation

/// Reads a journal that another process may be writing: for a viewer on the same device.
///
/// Takes no lock and changes nothing. What is not published yet is passed over, never waited for.
///
///     let reader = JournalReader(directory: directory)
///     for launch in reader.launches() {
///       let page = reader.read(launch, from: 0)
///     }
public struct JournalReader: Sendable {
  /// Consecutive records of one launch.
  public struct Page: Sendable, Equatable {
    public var records: [JournalRecord] = []
    /// Where to read on.
    public var next: UInt64
    /// Where calls had not returned when this was read; a later look may find records there.
    public var unpublished: [UInt64] = []
    /// Ranges of positions that are not readable, because they were damaged or their segment is gone.
    public var skipped: [Range<UInt64>] = []
  }

  let directory: JournalDirectory

  public init(directory: URL) { self.directory = JournalDirectory(directory) }

  /// The launches of which there is something, oldest first.
  public func launches() -> [LaunchID] {
    var created: [LaunchID: Int64] = [:]
    for name in directory.names() {
      if case .keeping = name { continue }
      created[name.launch] = created[name.launch] ?? identity(in: name, name.role)?.created ?? 0
    }
    return created.sorted { ($0.value, $0.key.description) < ($1.value, $1.key.description) }.map(\.key)
  }

  /// Those that an owner recorded, as far as their files can be read.
  package func launches(of owner: String) -> Set<LaunchID> {
    let hash = FileIdentity.hash(owner: owner)
    return directory.names().reduce(into: []) { launches, name in
      if identity(in: name, name.role)?.owner == hash { launches.insert(name.launch) }
    }
  }

  /// What a launch has counted so far. Nil when its ledger is gone.
  public func ledger(of launch: LaunchID) -> LaunchLedger? {
    let name = directory.names().first { if case .ledger(launch, _) = $0 { true } else { false } }
    guard let name else { return nil }
    let file = LedgerFile(path: directory.path(of: name))
    let keeping = KeepingFile(of: launch, in: directory)
    keeping.load()
    return LaunchLedger(writers: file.counts, account: file.account, ahead: keeping.counts, isResolved: false)
  }

  /// Reads on from a position.
  ///
  /// - Parameters:
  ///   - launch: whose records.
  ///   - from: 0, or a ``Page/next``.
  ///   - maximumRecords: the most records to read.
  public func read(_ launch: LaunchID, from: UInt64, maximumRecords: Int = 1000) -> Page {
    // The oldest segment may be evicted after it was listed: then those that are left are listed anew.
    for _ in 0..<Self.listings {
      if let page = readListed(launch, from: from, maximumRecords: maximumRecords) { return page }
    }
    return Page(next: from)
  }

  /// So often a reader lists the segments before it says that it found none.
  private static let listings = 16

  /// Nil when the first segment that has to be read is gone since it was listed.
  private func readListed(_ launch: LaunchID, from: UInt64, maximumRecords: Int) -> Page? {
    var page = Page(next: from)
    let indices = directory.names().compactMap { name -> UInt64? in
      if case .segment(launch, let index) = name { index } else { nil }
    }.sorted()
    guard let first = indices.first else { return page }
    guard let size = segmentSize(of: launch, first) else { return nil }
    let capacity = UInt64(clamping: size - SegmentRing.header)
    for index in indices where index >= from / max(1, capacity) {
      let base = index &* capacity
      let start = Int(clamping: max(page.next, base) &- base)
      guard
        let segment = read(launch, index, base, from: start, capacity: Int(clamping: capacity), limit: maximumRecords)
      else {
        if page.records.isEmpty { return nil }
        break
      }
      // bounded: compared just before.
      if page.next < base { page.skipped.append(page.next..<base) }
      page.records += segment.records
      page.unpublished += segment.unpublished
      page.skipped += segment.skipped
      page.next = segment.next
      // The segment that is being written ends before its end.
      if page.records.count >= maximumRecords || segment.next < base &+ capacity { break }
    }
    return page
  }

  private func read(
    _ launch: LaunchID, _ index: UInt64, _ base: UInt64, from start: Int, capacity: Int, limit: Int
  ) -> Page? {
    var page = Page(next: base &+ UInt64(clamping: start))
    // A record can be published while the file is read, its word after its payload; then it looks damaged, once.
    for _ in 0..<3 {
      guard let file = try? directory.open(.segment(launch, index: index)) else { return nil }
      defer { file.close() }
      let cursor = file.read(at: Int(AM_SEGMENT_CURSOR), count: 8).withUnsafeBytes {
        $0.count == 8 ? $0.loadUnaligned(as: UInt64.self).littleEndian : 0
      }
      let bytes = file.read(at: SegmentRing.header, count: min(Int(clamping: cursor), capacity))
      page = bytes.withUnsafeBytes { walk($0, launch, base, from: start, capacity: capacity, limit: limit) }
      if page.skipped.isEmpty { break }
    }
    return page
  }

  private func walk(
    _ bytes: UnsafeRawBufferPointer, _ launch: LaunchID, _ base: UInt64, from start: Int, capacity: Int, limit: Int
  ) -> Page {
    var page = Page(next: base &+ UInt64(clamping: start))
    var walker = SegmentWalker(
      codec: RecordCodec(launch: launch), bytes: bytes, base: base, from: start, writers: .passedOver)
    reading: while page.records.count < limit {
      switch walker.next() {
      case .record(let kind, let position, let payload):
        page.records.append(JournalRecord(position: position, kind: kind, payload: Array(bytes[payload])))
      case .torn(let range, _): page.unpublished.append(base &+ UInt64(clamping: range.lowerBound))
      case .damaged(let range, _):
        let (from, to) = (base &+ UInt64(clamping: range.lowerBound), base &+ UInt64(clamping: range.upperBound))
        // bounded: compared just before.
        if from <= to { page.skipped.append(from..<to) }
      case .unpublished, .end: break reading
      }
    }
    let isFull = walker.offset > capacity - RecordHeader.size
    page.next = isFull ? base &+ UInt64(clamping: capacity) : base &+ UInt64(clamping: walker.offset)
    return page
  }

  func identity(in name: JournalFileName, _ role: FileIdentity.Role) -> FileIdentity? {
    guard let file = try? directory.open(name) else { return nil }
    defer { file.close() }
    return file.read(at: 0, count: FileIdentity.size).withUnsafeBytes { FileIdentity($0, role: role) }
  }

  private func segmentSize(of launch: LaunchID, _ index: UInt64) -> Int? {
    guard let file = try? directory.open(.segment(launch, index: index)) else { return nil }
    defer { file.close() }
    let head = file.read(at: 0, count: FileIdentity.size)
    let size = head.withUnsafeBytes { FileIdentity($0, role: .segment)?.segmentSize } ?? file.size
    return (4096...1 << 20).contains(size) ? size : nil
  }
}
