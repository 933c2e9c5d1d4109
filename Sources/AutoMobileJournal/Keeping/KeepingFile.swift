import Foundation

/// What is known of a launch whose records are kept on the device and sent out of order: which of them a receiver has, and a note
/// of whoever decides what is sent, which means nothing here.
///
/// A file of records that are appended, each with a checksum: the header of a file of the journal, then records of the kinds below,
/// whose positions are their offsets behind the header. It is there only once something was sent ahead of the cursor or noted. A
/// record that a killed process did not finish is none, and the file is written anew before another one follows it.
///
/// Used under the journal's lock.
final class KeepingFile {
  /// A ``SentRecord``.
  private static let sent = RecordKind(rawValue: 1)
  /// The note; the last one counts.
  private static let note = RecordKind(rawValue: 2)
  /// From this length on the file is written anew, with what still matters, in bytes.
  private static let compactionSize = 256 * 1024
  /// The longest note, in bytes: of a launch of which as much waits as may, with long names.
  static let maximumNote = 512 * 1024
  /// A longer file is none of ours.
  private static let maximumSize = 4 << 20

  private(set) var sent = SentRanges()
  private(set) var counts = AheadCounts()
  private(set) var note: [UInt8]?

  private let launch: LaunchID
  private let directory: JournalDirectory
  /// The header that a new file gets; nil for whoever only reads.
  private let identity: FileIdentity?
  /// Length of the records in the file; nil when there is no file that more can be appended to.
  private var length: Int?
  /// There may be a file with something that has not been read: none is written in its place.
  private var isUnread = false
  /// The length from which on compacting is worth it; more than half of a compacted file has to be news.
  private var compactAt = KeepingFile.compactionSize

  /// Nothing is known, and no file is made. See ``load()``.
  ///
  /// - Parameter identity: of any file of the launch; without it, nothing is written.
  init(of launch: LaunchID, identity: FileIdentity? = nil, in directory: JournalDirectory) {
    self.launch = launch
    self.directory = directory
    var identity = identity
    identity?.role = .keeping
    identity?.launch = launch
    identity?.index = 0
    self.identity = identity
  }

  /// Whether there is a file that more can be appended to.
  var isOnDisk: Bool { length != nil }

  private var name: JournalFileName { .keeping(launch, isWhole: true) }
  private var unfinished: JournalFileName { .keeping(launch, isWhole: false) }

  /// Reads what an earlier process has left.
  func load() {
    let file: FileDescriptor
    do throws(StorageError) {
      file = try directory.open(name)
    } catch {
      // A device that has not been unlocked since its start, or too many open files: later.
      isUnread = error.code != ENOENT
      return
    }
    isUnread = false
    defer { file.close() }
    let hasNews = counts != AheadCounts() || note != nil
    guard file.size <= Self.maximumSize else { return }
    let bytes = file.read(at: FileIdentity.size, count: file.size - FileIdentity.size)
    let codec = RecordCodec(launch: launch)
    var stored: [UInt8]?
    length = bytes.withUnsafeBytes { bytes -> Int? in
      var offset = 0
      while offset < bytes.count {
        guard
          case .record(let kind, _, let payload, let next) = codec.parse(
            bytes, at: offset, expecting: UInt64(clamping: offset))
        else { return nil }
        take(kind, UnsafeRawBufferPointer(rebasing: bytes[payload]), note: &stored)
        offset = next
      }
      return offset
    }
    // What has been noted since, in this process, is newer.
    note = note ?? stored
    if hasNews { length = nil }
  }

  /// Reads what could not be read before.
  ///
  /// - Returns: false when it still cannot.
  @discardableResult
  func readAgain() -> Bool {
    if isUnread { load() }
    return !isUnread
  }

  private func take(_ kind: RecordKind, _ payload: UnsafeRawBufferPointer, note stored: inout [UInt8]?) {
    switch kind {
    case Self.sent:
      guard let record = SentRecord(payload) else { return }
      counts.add(record.counts)
      record.ranges.forEach { sent.insert($0) }
    case Self.note: stored = Array(payload)
    default: break
    }
  }

  /// A receiver has these.
  ///
  /// - Parameter acknowledged: nobody asks for what stands before this position.
  func add(_ record: SentRecord, acknowledged: UInt64, isKept: Bool) {
    readAgain()
    counts.add(record.counts)
    record.ranges.forEach { sent.insert($0) }
    if isKept { append(Self.sent, record.encoded, acknowledged: acknowledged) }
  }

  /// Replaces the note. Nil takes it away.
  ///
  /// - Returns: false when it is too long, or could not be written: it holds in this process then.
  @discardableResult
  func setNote(_ bytes: [UInt8]?, acknowledged: UInt64, isKept: Bool) -> Bool {
    readAgain()
    guard bytes != note || isKept && length == nil && bytes != nil else { return true }
    guard bytes?.count ?? 0 <= Self.maximumNote else { return false }
    note = bytes
    guard isKept else { return false }
    guard let bytes else { return rewrite(acknowledged: acknowledged) }
    return append(Self.note, bytes, acknowledged: acknowledged)
  }

  /// Writes what counts once more, when it was removed, or could not be written.
  func restore(acknowledged: UInt64) {
    readAgain()
    // It may be gone with its directory, which nobody here was told.
    if length != nil, access(directory.path(of: name), F_OK) != 0, errno == ENOENT { length = nil }
    guard length == nil, counts != AheadCounts() || note != nil else { return }
    _ = rewrite(acknowledged: acknowledged)
  }

  /// Removes the file. What it said still counts: see ``restore(acknowledged:)``.
  func remove() {
    directory.remove(name)
    directory.remove(unfinished)
    length = nil
  }

  @discardableResult
  private func append(_ kind: RecordKind, _ payload: [UInt8], acknowledged: UInt64) -> Bool {
    guard let end = length, end < compactAt, let file = try? directory.open(name, O_WRONLY) else {
      return rewrite(acknowledged: acknowledged)
    }
    defer { file.close() }
    var record: [UInt8] = []
    guard append(kind, payload, at: end, to: &record) else { return false }
    do throws(StorageError) {
      try file.write(record, at: FileIdentity.size + end)
      length = end + record.count
      return true
    } catch {
      // What has been written of it is no record.
      length = nil
      return false
    }
  }

  private func append(_ kind: RecordKind, _ payload: [UInt8], at offset: Int, to bytes: inout [UInt8]) -> Bool {
    payload.withUnsafeBytes {
      RecordCodec(launch: launch).append(kind: kind, position: UInt64(clamping: offset), payload: $0, to: &bytes)
    }
  }

  /// Replaces the file in one step with one that has what still matters.
  private func rewrite(acknowledged: UInt64) -> Bool {
    guard let identity, !isUnread else { return false }
    sent.forget(before: acknowledged)
    var records: [UInt8] = []
    guard append(Self.sent, SentRecord(counts: counts, ranges: sent.ranges).encoded, at: 0, to: &records) else {
      return false
    }
    if let note { _ = append(Self.note, note, at: records.count, to: &records) }
    length = nil
    directory.remove(unfinished)
    do throws(StorageError) {
      try directory.create(unfinished) { file throws(StorageError) in
        try file.write(identity.encoded)
        try file.write(records, at: FileIdentity.size)
      }
      try directory.rename(unfinished, to: name)
    } catch {
      return false
    }
    length = records.count
    compactAt = max(Self.compactionSize, 2 * records.count)
    return true
  }
}
