import CAutoMobile
import Foundation

// Preparing segments ahead of the writers.
extension JournalStore {
  /// How many segments are kept ready beyond the current one.
  private static let spares: UInt64 = 2
  /// How many earlier launches are asked for a spare while the caller waits.
  private static let adoptionTries = 4

  /// Maps segment 0: a new file, else, where the disk has no room for one, a spare that an earlier launch left, else memory.
  func openFirstSegment() throws(StorageError) {
    if failure == nil {
      do throws(StorageError) {
        try mapFirstFile()
        own.segments[0] = own.segmentSize
        // The page that the first records go into has been written with the header. The keeper touches the rest.
        return
      } catch {
        failure = error
      }
    }
    try ring.map(0, file: nil)
    own.segments[0] = 0
    volatile.insert(0)
    noteShortage()
  }

  private func mapFirstFile() throws(StorageError) {
    do throws(StorageError) {
      try makeSegment(0) { file throws(StorageError) in try ring.map(0, file: file) }
    } catch {
      // Looking for one takes longer than making one.
      guard let spare = adoptedSpare() else { throw error }
      defer { spare.close() }
      do throws(StorageError) {
        try ring.map(0, file: spare)
      } catch {
        directory.remove(.segment(own.id, index: 0))
        throw error
      }
    }
  }

  /// Takes the unused spare of a launch that is over.
  private func adoptedSpare() -> FileDescriptor? {
    // No dictionary: the first one of a kind takes longer than all the rest of this.
    var newest: [(launch: LaunchID, index: UInt64)] = []
    for case .segment(let launch, let index) in directory.names() where launch != own.id {
      if let known = newest.firstIndex(where: { $0.launch == launch }) {
        newest[known].index = max(newest[known].index, index)
      } else {
        newest.append((launch, index))
      }
    }
    for (launch, index) in newest.prefix(Self.adoptionTries) {
      let name = JournalFileName.segment(launch, index: index)
      guard let file = try? directory.open(name, O_RDWR) else { continue }
      let head = file.read(at: 0, count: SegmentRing.header)
      let isSpare =
        head.count == SegmentRing.header && file.size == own.segmentSize
        && head.withUnsafeBytes { bytes in
          guard let identity = FileIdentity(bytes, role: .segment), identity.owner == self.identity.owner,
            bytes.loadUnaligned(fromByteOffset: Int(AM_SEGMENT_CURSOR), as: UInt64.self) == 0
          else { return false }
          return !isAlive(identity)
        }
      // Renaming decides between two processes that want the same one.
      if isSpare, (try? directory.rename(name, to: .segment(own.id, index: 0))) != nil {
        if (try? file.write(identity.segment(0).encoded)) != nil { return file }
        directory.remove(.segment(own.id, index: 0))
      }
      file.close()
    }
    return nil
  }

  /// Makes the file of a segment and hands it over; when that fails there is none.
  ///
  /// - Parameter isFilled: take the time to have all of its pages in memory.
  func makeSegment(
    _ index: UInt64, isFilled: Bool = false, _ use: (FileDescriptor) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard directory.hasRoom(for: own.segmentSize, floor: options.freeDiskFloor) else {
      throw StorageError("keep \(options.freeDiskFloor) bytes of the disk free", code: ENOSPC)
    }
    try directory.create(.segment(own.id, index: index), size: own.segmentSize) { file throws(StorageError) in
      if isFilled { try file.fillPages(own.segmentSize) }
      try file.write(identity.segment(index).encoded)
      try use(file)
    }
  }

  /// Makes spares until there are enough, evicting what the budget has no room for.
  ///
  /// - Returns: false when one could not be made and it should be tried again later.
  func prepareSpares() -> Bool {
    // Until somebody wants something to be kept again.
    if isParked { return true }
    restoreLedger()
    while ring.ready < ring.current &+ Self.spares {
      let index = ring.ready &+ 1
      guard isDurable ? makeRoom() && ring.canHold(index) : makeRoomInMemory(for: index) else {
        failure = nil
        noteShortage()
        return false
      }
      do throws(StorageError) {
        if isDurable { try prepareFile(index) } else { try prepareMemory(index) }
        ring.touch(index)
        ring.makeReady(index)
      } catch {
        failure = error
        noteShortage()
        return false
      }
    }
    if isDurable { failure = nil }
    noteShortage()
    if isDurable, !volatile.isEmpty { moveOver() }
    return isDurable
  }

  private func prepareFile(_ index: UInt64) throws(StorageError) {
    try makeSegment(index, isFilled: true) { file throws(StorageError) in try ring.map(index, file: file) }
    own.segments[index] = own.segmentSize
  }

  func prepareMemory(_ index: UInt64) throws(StorageError) {
    try ring.map(index, file: nil)
    own.segments[index] = 0
    volatile.insert(index)
  }

  /// Tells the writers as what to count a record that finds no segment.
  func noteShortage() {
    let reason = failure == nil || !isDurable ? AM_LOSS_BUFFER_OVERFLOW : AM_LOSS_DISK_FULL
    am_journal_set_shortage(ring.shared, UInt32(clamping: reason))
  }
}
