import CAutoMobile
import Foundation

// What somebody else recorded before there was a journal.
extension Journal {
  /// The most bytes of payloads that ``takeOver(_:as:created:marks:)`` is to be given at a time. With their headers they fit into a
  /// segment, unless most are empty.
  package static let mostTakenOver = 512 * 1024

  /// Writes events down as those of an earlier launch, to be delivered with the others.
  ///
  /// In one step, which a process that is killed has taken or not: its only file comes under its name when it is whole. Done again
  /// under the same name it changes nothing, or makes the same records at the same positions, which a receiver knows.
  ///
  /// - Parameters:
  ///   - created: when they were recorded, in milliseconds since 1970.
  ///   - marks: what ``marks(of:)`` says of the launch from the beginning.
  /// - Returns: false when it could not be done now.
  package func takeOver(_ payloads: [[UInt8]], as launch: LaunchID, created: Int64, marks: UInt64) -> Bool {
    guard !store.ring.isForeign else { return false }
    return store.lock.withLock { store.takeOver(payloads, as: launch, created: created, marks: marks) }
  }
}

extension JournalStore {
  fileprivate func takeOver(_ payloads: [[UInt8]], as launch: LaunchID, created: Int64, marks: UInt64) -> Bool {
    guard isDurable else { return false }
    load()
    if launches[launch] == nil {
      guard write(payloads, as: launch, created: created) else { return false }
      load()
    }
    guard let stored = launches[launch] else { return false }
    var account = stored.ledger.account
    if account.marks | marks != account.marks {
      account.marks |= marks
      commit(account, of: stored)
    }
    return true
  }

  private func write(_ payloads: [[UInt8]], as launch: LaunchID, created: Int64) -> Bool {
    let codec = RecordCodec(launch: launch)
    var records: [UInt8] = []
    for payload in payloads {
      guard
        payload.withUnsafeBytes({
          codec.append(kind: .event, position: UInt64(clamping: records.count), payload: $0, to: &records)
        })
      else { return false }
    }
    let page = 4096
    let size = (SegmentRing.header + records.count + page - 1) / page * page
    guard size <= 1 << 20, directory.hasRoom(for: size, floor: options.freeDiskFloor) else { return false }
    let identity = FileIdentity(
      role: .segment, launch: launch, segmentSize: size, created: created, owner: self.identity.owner)
    // Not a name that the journal knows.
    let unfinished = directory.path + "/" + launch.description + ".part"
    unlink(unfinished)
    do throws(StorageError) {
      try FileDescriptor.create(at: unfinished, size: size) { file throws(StorageError) in
        try file.write(identity.encoded)
        try file.write(UInt64(clamping: records.count).littleEndian, at: Int(AM_SEGMENT_CURSOR))
        try file.write(records, at: SegmentRing.header)
      }
    } catch {
      return false
    }
    return rename(unfinished, directory.path(of: .segment(launch, index: 0))) == 0
  }
}
