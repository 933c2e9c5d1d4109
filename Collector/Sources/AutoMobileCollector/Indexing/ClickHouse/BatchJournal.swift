import AutoMobileJournal
import Foundation

/// What has been put together for ClickHouse and what of it has been confirmed: a small file beside the log.
///
/// A batch is written down before the first of its rows is sent: from where to where in the log it goes, and what was known of
/// contexts that are not in it, and of projects. So after any end of the process the same batches are made again, byte for byte.
///
/// The file is a row of entries, each with its length and checksum; one that is torn ends it. It is synced where something depends on
/// it, and written anew when it has grown.
struct BatchJournal {
  struct Batch: Codable, Sendable, Equatable {
    var number: UInt64
    var from: LogPosition
    var to: LogPosition
    /// What the rows depend on that is not in the batch.
    var answers: [Answered]
    /// Frames between these that come later, since nobody knows their contexts yet.
    var left: [LogPosition]
    /// Frames that were left by earlier ones.
    var late: [LogPosition]
    /// Of the apps that were projects then, those that the rows depend on; nil: none.
    var projects: [String]?

    fileprivate static let mostNumber = UInt64(Int64.max)
    fileprivate var isPossible: Bool {
      number <= Self.mostNumber && ([from, to] + left + late).allSatisfy(\.isPossible)
    }
  }

  struct Answered: Codable, Sendable, Equatable {
    var question: ContextQuestion
    var answer: ContextAnswer
  }

  private enum Entry: Codable {
    case begun(Batch)
    case confirmed(UInt64)
    /// Everything before is confirmed, and these have begun.
    case state(position: LogPosition, next: UInt64, open: [Batch], waiting: [LogPosition])

    /// Whether it can be gone on from: numbers are counted up and places are added to, and neither may leave its type.
    var isPossible: Bool {
      switch self {
      case .begun(let batch): batch.isPossible
      case .confirmed: true
      case .state(let position, let next, let open, let waiting):
        next <= Batch.mostNumber + 1 && open.allSatisfy { $0.isPossible && $0.number < next }
          && ([position] + waiting).allSatisfy(\.isPossible)
      }
    }
  }

  private static let headerSize = 8
  private static let longest = 64 << 20
  private static let writtenAnewFrom = 1 << 20

  private let path: String
  private var file: FileDescriptor
  private var length: Int
  /// The length when it was written anew.
  private var shortest = 0
  private var done: Set<UInt64> = []
  private var nextNumber: UInt64 = 1
  /// Begun and not confirmed, or behind one that is not.
  private var begun: [Batch] = []
  /// Frames that were left, and are in no batch yet.
  private(set) var waiting: [LogPosition] = []
  /// Everything before it is in ClickHouse, but for what is ``waiting``.
  private(set) var position = LogPosition(segment: 0, offset: 0)
  /// Bytes at the file's end that were no entry: it was torn, or damaged.
  let tornBytes: Int

  /// Opens it; where there is none, everything that is in the log has still to be sent.
  ///
  /// - Throws: ``SystemError``.
  init(directory: LogDirectory) throws {
    path = directory.path + "/clickhouse"
    let bytes = try SyncedFile.read(path, longest: Self.longest) ?? []
    let (entries, end) = Self.entries(bytes)
    tornBytes = bytes.count - end
    length = 0
    if bytes.isEmpty { try SyncedFile.write([], to: path) }
    file = try Self.open(path)
    for entry in entries { apply(entry) }
    // What is behind is never taken for an entry.
    if !bytes.isEmpty { try writeAnew() }
  }

  /// What has to be sent again, in order.
  var open: [Batch] { begun.filter { !done.contains($0.number) } }
  /// Where the next batch begins.
  var end: LogPosition { begun.last?.to ?? position }
  /// Files of the log before that of this place are not needed any more.
  var needed: LogPosition {
    min(position, waiting.min() ?? position, begun.lazy.compactMap { $0.late.min() }.min() ?? position)
  }

  /// A batch is about to be sent. When it returns, that survives.
  mutating func begin(
    to: LogPosition, answers: [ContextQuestion: ContextAnswer], left: [LogPosition] = [], late: [LogPosition] = [],
    projects: Set<String> = []
  ) throws -> Batch {
    // Nobody counts this far: it stood in a file that was not written here.
    guard nextNumber <= Batch.mostNumber else { throw SystemError("write", path, code: EOVERFLOW) }
    let answers = answers.map { Answered(question: $0.key, answer: $0.value) }
    let batch = Batch(
      number: nextNumber, from: end, to: to, answers: answers, left: left, late: late,
      projects: projects.isEmpty ? nil : projects.sorted())
    if length > Self.writtenAnewFrom { try writeAnew() }
    try append(.begun(batch))
    try sync()
    apply(.begun(batch))
    return batch
  }

  /// All of its rows are in ClickHouse. That is synced later: who forgets it sends again what is there.
  mutating func confirm(_ number: UInt64) throws {
    guard begun.contains(where: { $0.number == number }) else { return }
    apply(.confirmed(number))
    try append(.confirmed(number))
  }

  /// Leaves nothing in the file but what holds now, and syncs it: answers of batches that are over have names of sessions in them, which
  /// may have been erased.
  mutating func tidy() throws {
    if length > shortest { try writeAnew() }
    try sync()
  }

  func sync() throws {
    guard fdatasync(file.number) == 0 else { throw SystemError("fdatasync", path) }
  }

  // MARK: Entries

  private mutating func apply(_ entry: Entry) {
    switch entry {
    case .begun(let batch):
      // An entry that comes twice, since the first attempt to write it failed too late: nothing was sent of it, and what it took along
      // waits still.
      for again in begun where again.number >= batch.number {
        waiting.removeAll { again.left.contains($0) }
        waiting += again.late
      }
      begun.removeAll { $0.number >= batch.number }
      done = done.filter { $0 < batch.number }
      begun.append(batch)
      waiting.removeAll { batch.late.contains($0) || batch.left.contains($0) }
      waiting += batch.left
      nextNumber = batch.number + 1
    case .confirmed(let number):
      // Of one that has not begun, it would confirm the one that will have its number.
      guard begun.contains(where: { $0.number == number }) else { return }
      done.insert(number)
      while let first = begun.first, done.remove(first.number) != nil {
        position = first.to
        begun.removeFirst()
      }
    case .state(let position, let next, let open, let waiting):
      (self.position, nextNumber, begun, done) = (position, next, open, [])
      self.waiting = waiting
    }
  }

  private static func encode(_ entry: Entry) throws -> [UInt8] {
    let payload = try JSONEncoder().encode(entry)
    let checksum = payload.withUnsafeBytes { CRC32C.checksum(of: $0) }
    return withUnsafeBytes(of: UInt32(payload.count).littleEndian) { Array($0) }
      + withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + payload
  }

  /// The entries up to the first that is none.
  private static func entries(_ bytes: [UInt8]) -> ([Entry], end: Int) {
    var entries: [Entry] = []
    var offset = 0
    bytes.withUnsafeBytes { bytes in
      while offset + headerSize <= bytes.count {
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
        let start = offset + headerSize
        guard count > 0, count <= bytes.count - start else { return }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        guard CRC32C.checksum(of: payload) == checksum,
          let entry = try? JSONDecoder().decode(Entry.self, from: Data(payload)), entry.isPossible
        else { return }
        entries.append(entry)
        offset = start + count
      }
    }
    return (entries, offset)
  }

  private mutating func append(_ entry: Entry) throws {
    let bytes = try Self.encode(entry)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file.number, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(length + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write", path) }
      done += count
    }
    length += done
  }

  /// Just what holds now.
  private mutating func writeAnew() throws {
    let bytes = try Self.encode(.state(position: position, next: nextNumber, open: begun, waiting: waiting))
    try SyncedFile.write(bytes, to: path)
    file = try Self.open(path)
    length = bytes.count
    // Those that stand before one that is not confirmed.
    for number in done.sorted() { try append(.confirmed(number)) }
    shortest = length
  }

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor(creating: path, flags: O_RDWR | O_CLOEXEC | O_NOFOLLOW, permissions: 0)
  }
}

extension LogPosition {
  fileprivate var isPossible: Bool { (0...Int.max / 2).contains(offset) }
}
