import AutoMobileClickHouse
import Logging
import NIOConcurrencyHelpers

/// Puts into ClickHouse what is known of replays whose packs the blob store has, so that every collector can show them. What could not
/// be told waits: rows are written again until they are confirmed, and the same again changes nothing.
final class ReplayTeller: Sendable {
  private let news: ReplayNews
  private let cluster: ClickHouseCluster
  private let inserter: ClickHouseInserter
  private let map: ShardMap
  /// Of this collector: no other one has it.
  private let place: String
  private let logger: Logger
  private let now: @Sendable () -> Int64
  private let trouble = NIOLockedValueBox<String?>(nil)
  /// Of packs that hold something erased.
  private let scrubTrouble = NIOLockedValueBox<String?>(nil)
  /// What it has removed of what others have erased.
  private let removed = NIOLockedValueBox<Set<ErasureNames.Name>>([])
  /// Looks every five seconds.
  private let worker = BackgroundWorker(every: 5)

  /// - Parameter place: the collector's name in the cluster, the same after each start.
  init(
    _ cluster: ClickHouseCluster, news: ReplayNews, place: String, logger: Logger,
    now: @escaping @Sendable () -> Int64 = { WallClock.now }
  ) {
    self.news = news
    self.place = place
    self.logger = logger
    self.now = now
    self.cluster = cluster
    map = cluster.map
    inserter = ClickHouseInserter(cluster, limits: .asBrought(within: .seconds(3)))
  }

  /// Why it waits; nil when it does not.
  var problem: String? { trouble.withLockedValue { $0 } ?? scrubTrouble.withLockedValue { $0 } }

  func start() { worker.start("replay index") { [self] in look() } }
  func wake() { worker.wake() }
  /// Ends; what is not confirmed is told by the next run. To be called once, after ``start()``.
  func stop() { worker.stop() }

  /// First what others have erased: else it would be told once more. Packs are written anew whether or not ClickHouse answers, and
  /// what there is is told whether or not the blob store does. Blocks: not for an event loop.
  func look() {
    attempt("ClickHouse does not learn where replays are", trouble) {
      try removeErased()
      try tell()
      try adopt()
    }
    attempt("packs still hold bytes of erased replays", scrubTrouble) { try news.scrub() }
  }

  private func attempt(_ problem: String, _ trouble: NIOLockedValueBox<String?>, _ work: () throws -> Void) {
    do {
      try work()
      trouble.withLockedValue { $0 = nil }
    } catch {
      let isNew = trouble.withLockedValue { known in
        defer { known = "\(error)" }
        return known == nil
      }
      if isNew { logger.error("\(problem); trying again", metadata: ["error": "\(error)"]) }
    }
  }

  /// Tells all that there is. Blocks: not for an event loop.
  func tell() throws {
    for pack in try news.untold() {
      guard !worker.mustEnd else { return }
      try send(ReplayRows.segments(try news.segments(of: pack), map, at: now()))
      try news.told(of: pack)
    }
    while !worker.mustEnd {
      let page = try news.replays()
      guard !page.replays.isEmpty else { return }
      try send(ReplayRows.replays(page.replays, by: place, map, at: now()))
      try news.told(of: page)
    }
  }

  /// Makes replays that were moved its own.
  func adopt() throws {
    let adoption = ReplayAdoption(store: news.store, cluster: cluster, blobs: news.packs.blobs, place: place)
    guard try adoption.run() else { return }
    // Those of them that were erased meanwhile are looked for once more.
    removed.withLockedValue { $0 = [] }
  }

  // MARK: Erased

  /// How far back a look goes behind the one before it, in milliseconds. Clocks may be so far apart, and so long may who erases wait
  /// for a shard.
  private static let overlap: Int64 = 3_600_000

  /// Removes what other collectors have erased since it looked last, in whichever process; the first time all that there is.
  func removeErased() throws {
    let start = now()
    let since = try news.looked().map { min($0, start) - Self.overlap } ?? 0
    let erased = try waitFor { [cluster, since] in
      try await cluster.client.rows(
        """
        SELECT DISTINCT project, replay FROM \(cluster.readable(TelemetryTables.replayRemovals)) \
        WHERE day >= toDate(\(max(0, since / 86_400_000))) AND received >= \(since)
        """
      ) { ErasureNames.Name(project: try $0.string(), name: try $0.string()) }
    }
    let new = erased.filter { name in removed.withLockedValue { !$0.contains(name) } }
    if !new.isEmpty {
      try news.remove(new)
      removed.withLockedValue { $0 = Set(erased) }
    }
    try news.keep(lookedAt: start)
  }

  private func send(_ rows: ShardedRows) throws {
    try waitFor { [inserter] in try await inserter.insert(rows) }
  }
}
