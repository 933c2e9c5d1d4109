import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// The journal of one session: what it is, its lines, the index of its frames, and how far it has come. What has been written
/// outlives the process, however that ends.
///
/// Any thread.
final class SessionJournal: Sendable {
  let journal: Journal
  /// The launches that recorded the session: this one, or, when it is recovered, those that are over.
  let launches: [LaunchID]

  /// How often room is looked for, and how long to wait in between, in microseconds: a segment is made in less.
  private static let attempts = 20
  private static let pause: UInt32 = 1000
  /// The last record found no room, however long it waited.
  private let isStuck = Locked(false)
  private let wait: @Sendable (UInt32) -> Void

  /// - Parameter owner: who records: a bundle id or the name of a program.
  init(new directory: SessionDirectory, owner: String, options: SessionJournalOptions) throws {
    journal = try Journal(options.journalOptions(directory.journal, owner: owner))
    launches = [journal.launch]
    wait = options.wait
  }

  /// Takes over what an earlier process left. Nobody else does at the same time: the journal sees to that.
  init(recovering directory: SessionDirectory, owner: String, options: SessionJournalOptions) throws {
    journal = try Journal(options.journalOptions(directory.journal, owner: owner))
    launches = journal.earlierLaunches()
    wait = options.wait
  }

  /// Whether somebody else has something here: whoever records it, or is at it, in whatever process.
  var isSomebodyElses: Bool { journal.hasOthers }

  /// Whether what is recorded is on the disk, as a record shows that is written to see. Blocks for as long as that takes, a second at
  /// most; not for a thread that others wait for.
  func isOnDisk(_ checkpoint: Checkpoint) -> Bool {
    guard append(.replayCheckpoint, checkpoint) else { return false }
    for _ in 0..<100 where journal.status != .durable { usleep(10_000) }
    return journal.status == .durable
  }

  @discardableResult
  func append(_ kind: RecordKind, _ value: some Encodable) -> Bool {
    guard let json = Self.json(value) else { return false }
    return append(kind, json)
  }

  /// A line, after its time in milliseconds since 1970.
  @discardableResult
  func append(_ kind: RecordKind, line: Data, at time: Int64) -> Bool {
    var payload = Data(capacity: line.count + 8)
    withUnsafeBytes(of: time.littleEndian) { payload.append(contentsOf: $0) }
    payload.append(line)
    return append(kind, payload)
  }

  func setSession(_ record: SessionRecord) {
    if let json = Self.json(record) { journal.setPreamble(.replaySession, [UInt8](json)) }
  }

  /// The last record of a kind, in any of the launches.
  func last<Value: Decodable>(_ kind: RecordKind, as type: Value.Type) -> Value? {
    for launch in launches.reversed() {
      let records = journal.lastRecords(of: RecordKinds(kind), limit: 1, launch: launch)
      if let payload = records.last?.payload, let value = try? JSONDecoder().decode(type, from: Data(payload)) {
        return value
      }
    }
    return nil
  }

  func close() { journal.close() }

  /// Closes, and waits until nothing more is done in the directory. Blocks.
  func closeAndWait() { journal.closeAndWait() }

  private func append(_ kind: RecordKind, _ payload: Data) -> Bool {
    func isTaken() -> Bool { payload.withUnsafeBytes { journal.append(kind, $0) } != nil }
    // One that waited in vain is enough: a thousand behind it would hold up the queue for as many times as long.
    guard !isStuck.withLock({ $0 }) else {
      let isFree = isTaken()
      if isFree { isStuck.withLock { $0 = false } }
      return isFree
    }
    for _ in 0..<Self.attempts {
      if isTaken() { return true }
      wait(Self.pause)
    }
    isStuck.withLock { $0 = true }
    return false
  }

  private static func json(_ value: some Encodable) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    return try? encoder.encode(value)
  }
}

package struct SessionJournalOptions: Sendable {
  /// In bytes.
  package var budget = 16 << 20
  package var segmentSize = 256 << 10
  package var freeDiskFloor = 64 << 20
  package var isSingleInstance = false
  /// Waits for so many microseconds.
  package var wait: @Sendable (UInt32) -> Void = { usleep($0) }

  func journalOptions(_ directory: URL, owner: String) -> JournalOptions {
    var options = JournalOptions(directory: directory, owner: owner)
    options.budget = budget
    options.segmentSize = segmentSize
    options.freeDiskFloor = freeDiskFloor
    options.singleInstance = isSingleInstance
    options.counted = [.replayEvent, .replayHierarchy]
    // Whoever finishes sessions knows how long they are kept: 90 days at most.
    options.maximumAge = 100 * 86_400
    options.retained = [
      RetainedRecords([.replaySession], count: 1), RetainedRecords([.replayCheckpoint], count: 1),
      RetainedRecords([.replayEnding], count: 1),
    ]
    return options
  }
}
