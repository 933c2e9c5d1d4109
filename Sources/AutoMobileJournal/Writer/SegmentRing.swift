import CAutoMobile
import Foundation

/// The mapped segments that a journal's writers are in, and those ready to be.
///
/// There are a few addresses, the slots, and each stays mapped as long as the ring lives: a slot is given to a later
/// segment by mapping that over the earlier one, and only after the earlier one has been filled and all of its records
/// are published. So a thread that went to sleep in an append never wakes up to an address that is gone: at most it finds
/// the cursor beyond the end, and reads which segment is current. Memory is bounded by the slots.
///
/// Sendable: writers use atomics only; everything else is called by one thread at a time, under the journal's lock.
final class SegmentRing: @unchecked Sendable {
  static let header = Int(AM_SEGMENT_RECORDS)

  let shared: UnsafeMutablePointer<am_journal>
  let segmentSize: Int
  let capacity: Int
  /// What is in which slot; ``nothing`` when it may be overwritten.
  private var held = [UInt64](repeating: nothing, count: Int(AM_JOURNAL_SLOTS))
  private static let nothing = UInt64.max

  init(
    launch: LaunchID, segmentSize: Int, counted: RecordKinds, isFollowed: Bool, ledger: UnsafeMutableRawPointer
  ) {
    self.segmentSize = segmentSize
    capacity = segmentSize - Self.header
    let size = MemoryLayout<am_journal>.size
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 128)
    memset(memory, 0, size)
    shared = memory.bindMemory(to: am_journal.self, capacity: 1)
    shared.pointee.ledger = ledger
    shared.pointee.capacity = UInt64(clamping: capacity)
    shared.pointee.counted = counted.bits
    shared.pointee.followed = isFollowed ? 1 : 0
    shared.pointee.seed = withUnsafeBytes(of: launch.uuid.uuid) { am_crc32c(0, $0.baseAddress, $0.count) }
    shared.pointee.shortage = UInt32(AM_LOSS_BUFFER_OVERFLOW)
    shared.pointee.generation = am_process_generation()
    shared.pointee.preamble = .allocate(capacity: Int(AM_PREAMBLE_MAXIMUM) / MemoryLayout<UInt64>.stride)
  }

  deinit {
    for index in 0..<UInt64(AM_JOURNAL_SLOTS) {
      guard let segment = am_journal_slot(shared, index).pointee.segment else { continue }
      am_guard_remove(segment)
      munmap(segment, segmentSize)
    }
    shared.pointee.preamble?.deallocate()
    UnsafeMutableRawPointer(shared).deallocate()
  }

  /// The segment that takes records.
  var current: UInt64 { am_journal_current(shared) }
  /// The newest that is prepared.
  var ready: UInt64 { am_journal_ready(shared) }

  /// In the child of a fork the journal belongs to the parent.
  var isForeign: Bool { am_process_generation() != shared.pointee.generation }

  /// Maps a segment into its slot. The slot must be free: see ``canHold(_:)``.
  ///
  /// - Parameter file: the segment's file, with its header written; nil for memory that ends with the process.
  func map(_ index: UInt64, file: FileDescriptor?) throws(StorageError) {
    let slot = am_journal_slot(shared, index)
    let old = slot.pointee.segment
    // Before the mapping: whoever reserves in the new segment reads its base, not the old one's.
    am_journal_slot_set_base(slot, index &* UInt64(clamping: capacity))
    let kind = file == nil ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED
    let flags = kind | (old == nil ? 0 : MAP_FIXED)
    guard let address = mmap(old, segmentSize, PROT_READ | PROT_WRITE, flags, file?.raw ?? -1, 0),
      address != MAP_FAILED
    else { throw StorageError("map segment") }
    // Later mappings of the slot have the first one's address, which writers may be reading.
    if old == nil { slot.pointee.segment = address.assumingMemoryBound(to: UInt8.self) }
    held[Int(index % UInt64(AM_JOURNAL_SLOTS))] = index
    // Blocks are there before a segment is written; but a disk can fail, and a file can be cut off by others.
    _ = am_guard_add(address, segmentSize, am_journal_closed_word(shared))
  }

  /// Makes a mapped segment available to the writers.
  func makeReady(_ index: UInt64) { am_journal_set_ready(shared, index) }

  /// Touches the pages of a mapped segment, so that writers do not meet their first faults.
  func touch(_ index: UInt64) {
    guard let segment = am_journal_slot(shared, index).pointee.segment else { return }
    let page = Int(getpagesize())
    #if os(Linux)
    // MADV_POPULATE_WRITE, since Linux 5.14. A little at a time: meanwhile no thread of the process can map anything.
    let step = 16 * page
    let isDone = stride(from: 0, to: segmentSize, by: step).allSatisfy {
      madvise(segment + $0, min(step, segmentSize - $0), 23) == 0
    }
    if isDone { return }
    #endif
    for offset in stride(from: 0, to: segmentSize, by: page) {
      // Adds nothing, atomically: others may be writing there.
      UnsafeMutableRawPointer(segment + offset).withMemoryRebound(to: UInt64.self, capacity: 1) {
        _ = am_fetch_add_u64($0, 0)
      }
    }
  }

  /// Gives up the memory of a segment that has been left, and its blocks on disk, but for the page with the cursor.
  ///
  /// The file is about to be unlinked; as long as a page of it is mapped, the disk would keep all of it. Cutting it off
  /// is safe only because the pages beyond are not mapped any more, and nobody but this process maps segments.
  func release(_ index: UInt64, file: FileDescriptor?) {
    guard records(index) != nil, isComplete(index), let segment = am_journal_slot(shared, index).pointee.segment
    else { return }
    let page = Int(getpagesize())
    held[Int(index % UInt64(AM_JOURNAL_SLOTS))] = Self.nothing
    guard page < segmentSize else { return }
    let rest = mmap(
      segment + page, segmentSize - page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
    if let file, let rest, rest != MAP_FAILED { ftruncate(file.raw, off_t(page)) }
  }

  /// Whether the slot of a segment to come is free: never used, or its segment is full and whole.
  func canHold(_ index: UInt64) -> Bool {
    let old = held[Int(index % UInt64(AM_JOURNAL_SLOTS))]
    return old == Self.nothing || isComplete(old)
  }

  /// Whether a segment has been left by the writers, with every reservation in it published.
  func isComplete(_ index: UInt64) -> Bool {
    guard index < current else { return false }
    guard let bytes = records(index) else { return true }
    seal()
    guard reserved(index) >= bytes.count - RecordHeader.size else { return false }
    var offset = 0
    while offset <= bytes.count - RecordHeader.size {
      guard let word = bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt32.self),
        let (state, _, length) = RecordHeader.parse(word: am_load_acquire_u32(word)), state == .published
      else { return false }
      offset += RecordHeader.stride(payload: length)
    }
    return true
  }

  /// Takes back what threads have reserved ahead of their records. Any thread.
  func seal() { am_journal_seal(shared) }

  /// The record area of a segment that is still mapped.
  func records(_ index: UInt64) -> UnsafeRawBufferPointer? {
    guard held[Int(index % UInt64(AM_JOURNAL_SLOTS))] == index,
      let segment = am_journal_slot(shared, index).pointee.segment
    else { return nil }
    return UnsafeRawBufferPointer(start: segment + Self.header, count: capacity)
  }

  /// How much of a mapped segment's record area has been reserved, in bytes.
  func reserved(_ index: UInt64) -> Int {
    guard let segment = am_journal_slot(shared, index).pointee.segment else { return 0 }
    let cursor = UnsafeMutableRawPointer(segment + Int(AM_SEGMENT_CURSOR)).assumingMemoryBound(to: UInt64.self)
    return min(Int(clamping: am_load_acquire_u64(cursor)), capacity)
  }
}
