import AutoMobileClickHouse
import AutoMobileState
import Foundation
import Logging
import Testing

@testable import AutoMobileCollector

/// The parts of a collector whose telemetry is in ClickHouse: its own file, its log, its packs, and whoever erases.
final class ClusterCollector {
  let store: EventStore
  let followed: FollowedLog
  let packs: ReplayPacks
  let uploads: PackUploads
  let telemetry: ClickHouseTelemetry
  let erasing: ClickHouseErasing
  let teller: ReplayTeller
  private(set) var erasures: Erasures
  private let directory: URL
  private var isOpen = true

  /// - Parameter knowsMarks: what it takes in is compared with them.
  init(
    _ directory: URL, _ cluster: ClickHouseCluster, blobs: URL, writer: Int = 0, knowsMarks: Bool = true,
    contextPatience: Double = 15
  ) throws {
    self.directory = directory
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let limits = CollectorLimits()
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    store = try EventStore(
      path: directory.appending(path: "index.sqlite").path, fullText: false, maximumDepth: limits.jsonDepth,
      limits: limits)
    telemetry = ClickHouseTelemetry(cluster, gate: ReadGate(limits), limits: limits)
    erasing = ClickHouseErasing(cluster, telemetry: telemetry, store: store)
    let marks = erasing.marks
    followed = try FollowedLog(
      directory.appending(path: "ingest"), cluster, writer: writer, change: { $0.contextPatience = contextPatience },
      erased: { try knowsMarks ? marks.current() : nil })
    packs = ReplayPacks(
      spool: try PackSpool(directory: directory.appending(path: "packs").path), blobs: FolderBlobs(blobs))
    uploads = PackUploads(packs: packs, store: store, oldAge: nil, logger: logger)
    teller = ReplayTeller(
      cluster, news: ReplayNews(store: store, packs: packs), place: "\(writer)", logger: logger)
    erasures = Self.erasures(store, packs, uploads, followed, erasing, directory)
  }

  private static func erasures(
    _ store: EventStore, _ packs: ReplayPacks, _ uploads: PackUploads, _ followed: FollowedLog,
    _ erasing: ClickHouseErasing, _ directory: URL
  ) -> Erasures {
    let indexer = followed.indexer
    return Erasures(
      .init(
        store: store, packs: packs, uploads: uploads, log: followed.log, maximumDepth: 512,
        index: directory.appending(path: "index.sqlite").path, tidyLog: { indexer.tidy() }, forget: {}, onIssues: {},
        onConfiguration: {}, projects: { [] }, telemetry: erasing),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// As after a start of the process.
  func restartErasures() {
    erasures.stop()
    erasures = Self.erasures(store, packs, uploads, followed, erasing, directory)
  }

  /// Looks for what came late, and deletes it, as every ten minutes.
  func lookAgain(_ erasing: ClickHouseErasing? = nil) async throws {
    let erasing = erasing ?? self.erasing
    try await offLoop {
      try erasing.lookAgain(
        at: WallClock.now,
        pause: {
          usleep(UInt32($0 * 1_000_000))
          return true
        })
    }
  }

  /// Until it is done.
  func erase(_ subject: ErasureSubject) async throws -> Erasure {
    try await done(try await erasures.begin(subject, reason: "", by: "test").id)
  }

  func done(_ id: Int64) async throws -> Erasure {
    var found: Erasure?
    try await eventually("the erasure is done", within: .seconds(300)) {
      uploads.wake()
      found = try await store.pool.read { try Erasure.one(id, in: $0) }
      return found?.step == .done
    }
    guard let found else { throw CancellationError() }
    return found
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    erasures.stop()
    followed.close()
  }

  // MARK: Replays

  static let app = DeliveringApp(owner: FollowedLog.owner, bundleId: "dev.example.shop")

  /// A segment of a replay comes.
  func take(
    _ segment: ReplaySender.Segment, of replay: String, session: String, at now: Int64 = WallClock.now - 10
  ) async throws {
    let replays = ReplayStore(store: store, packs: packs)
    let announced = try ReplaySegment(
      .object([
        "sessionId": .string(replay), "segmentId": .string(segment.id), "kind": .string(segment.kind),
        "startTime": .integer(segment.first), "endTime": .integer(segment.last), "frameCount": .integer(3),
        "sizeBytes": .integer(Int64(segment.body.readableBytes)), "telemetrySessionIds": .array([.string(session)]),
      ]))
    guard try await replays.announce(announced, of: Self.app, quota: nil, at: now) == .wanted else { return }
    try await replays.keep(segment.body, as: segment.id, of: Self.app, at: now)
  }

  /// The blob store has all that came, and ClickHouse knows.
  func tell() async throws {
    await put()
    try await offLoop { [teller] in try teller.tell() }
  }

  /// The blob store has all that came.
  func put() async {
    packs.spool.seal(after: 0)
    _ = await uploads.drain()
  }
}
