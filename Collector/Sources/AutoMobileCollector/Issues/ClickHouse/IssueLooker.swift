import AutoMobileClickHouse
import AutoMobileState
import Foundation
import Logging
import NIOConcurrencyHelpers

/// Looks at reports in ClickHouse, each when it has come, and again when symbols are added that could say more of it: what ``IssueWriter``
/// and ``IssueRefiner`` do in an index. One of several collectors does.
///
/// A report that nobody has looked at is in no issue yet. What is found is a further row of the report, of which the newest counts; what
/// has none is found again after any end of the process, and ``LookMark`` has the state told once.
final class IssueLooker: Sendable {
  /// Puts rows into ClickHouse, and returns when all shards have them.
  typealias Insert = @Sendable (ShardedRows) async throws -> Void
  /// Whether a session has been erased, which may be while one of its reports is looked at.
  typealias Erased = @Sendable (_ session: String, _ owner: DataOwner) throws -> Bool

  private let telemetry: ClickHouseTelemetry
  private let state: StateBeside
  private let symbolizer: Symbolizer
  private let logger: Logger
  private let map: ShardMap
  private let insert: Insert
  private let isErased: Erased
  private let turn: WorkTurn
  private let worker: BackgroundWorker
  private let looks = NIOLockedValueBox(Looks())
  private let presence = SymbolizerPresence()
  /// Looks that came to nothing, one after the other.
  private let failures = NIOLockedValueBox(0)

  /// What has been looked through since this collector has the turn.
  private struct Looks {
    /// When all days were; nil: not since then.
    var whole: Date?
    /// When the last look began that came to its end, in milliseconds since 1970.
    var last: Int64 = 0
    /// Of which all is said that was to be said when the last look at symbols came to its end.
    var builds: Set<String> = []
    /// Symbols may say more of something: they could not be read, or nobody has asked them since.
    var isOwing = false
  }

  /// Reports of one look.
  private static let batch = 64
  private let wholeEvery: Double
  /// Milliseconds within which a report's event comes.
  private static let eventsAfter: Int64 = 600_000
  /// Milliseconds by which clocks of collectors may differ, and between a report's arrival and its row.
  private static let slack: Int64 = 60_000
  private let retryDelay: Double
  private let page: Int
  /// After so many failures another collector may try, for as long as so many attempts would take.
  private static let mostFailures = 3
  private static let rest = 15.0
  /// When the store of symbols does not answer; longer than the symbolizer takes its word for it.
  private let symbolDelay = 11.0

  convenience init(
    telemetry: ClickHouseTelemetry, cluster: ClickHouseCluster, state: StateBeside, symbolizer: Symbolizer,
    logger: Logger, isErased: @escaping Erased = { _, _ in false }
  ) {
    let inserter = ClickHouseInserter(cluster, limits: .asBrought(within: .seconds(3)))
    self.init(
      telemetry: telemetry, map: cluster.map, state: state, symbolizer: symbolizer, logger: logger, isErased: isErased
    ) {
      try await inserter.insert($0)
    }
  }

  /// - Parameters:
  ///   - interval: seconds after which it looks unasked: other collectors put reports there, too.
  ///   - wholeEvery: seconds after which it looks through days that are over: what waited in the log of a collector, or for a shard,
  ///     comes there.
  ///   - retryDelay: seconds after which it tries again what has failed.
  ///   - page: reports that are asked for at once.
  ///   - insert: for one that is not asked over HTTP.
  init(
    telemetry: ClickHouseTelemetry, map: ShardMap, state: StateBeside, symbolizer: Symbolizer, logger: Logger,
    interval: Double = 3, wholeEvery: Double = 600, retryDelay: Double = 1, page: Int = 2000,
    isErased: @escaping Erased = { _, _ in false },
    insert: @escaping Insert
  ) {
    (self.telemetry, self.map, self.insert, self.isErased) = (telemetry, map, insert, isErased)
    (self.state, self.symbolizer, self.logger) = (state, symbolizer, logger)
    (self.wholeEvery, self.retryDelay, self.page) = (wholeEvery, retryDelay, page)
    turn = WorkTurn(StateWork("issues"), in: state.state)
    worker = BackgroundWorker(every: interval)
  }

  func start() { worker.start("issues") { [self] in work() } }

  /// There may be something to look at.
  func wake() { worker.wake() }

  /// Ends the thread, after the look at hand.
  func stop() {
    worker.stop()
    turn.end()
  }

  private func work() {
    do {
      try lookAtAll()
      failures.withLockedValue { $0 = 0 }
    } catch let error as BlobError {
      logger.warning("reports wait for their symbols", metadata: ["error": "\(error)"])
      if worker.pause(symbolDelay) { worker.wake() }
    } catch {
      logger.error("reports cannot be looked at now; trying again", metadata: ["error": "\(error)"])
      let failures = failures.withLockedValue { failures in
        failures += 1
        return failures
      }
      // Another collector may reach what this one does not.
      if failures >= Self.mostFailures { turn.letGo() }
      if worker.pause(failures >= Self.mostFailures ? retryDelay * Self.rest : retryDelay) { worker.wake() }
    }
  }

  /// Whoever has no symbolizer leaves it to those who have one, and who can do it.
  private func mayLook() throws -> Bool {
    if symbolizer.tools.symbolizer != nil {
      if failures.withLockedValue({ $0 == 0 }) { try presence.tell(in: state.state) }
      return true
    }
    guard try presence.isTold(in: state.state) else { return true }
    turn.letGo()
    return false
  }

  // MARK: Looking

  /// On a thread of the collector's own.
  ///
  /// - Throws: what ClickHouse, the state and the store of symbols say.
  func lookAtAll() throws {
    guard try mayLook(), let hold = try turn.takeNow({ looks.withLockedValue { $0 = Looks() } }) else { return }
    try finishUnderWay(hold)
    let builds = Set(symbolizer.tools.symbolizer != nil ? symbolizer.store.all.map(\.id) : [])
    let before = looks.withLockedValue { $0 }
    let isWhole = before.whole.map { $0.timeIntervalSinceNow < -wholeEvery } ?? true
    let now = WallClock.now
    let begin = Date()
    // All that waited for their events then, and what came since.
    let since = isWhole ? 0 : before.last - Self.eventsAfter - Self.slack
    for day in try read({ try await $0.days(since: isWhole ? 0 : RecordColumns.day(now) - 1) }) {
      try look(hold, withoutSymbols: true) { try await $0.unseen(on: day, since: since, from: $1) }
    }
    guard !worker.mustEnd, hold.isHeld else { return }
    let isOwing = looks.withLockedValue { looks in
      (looks.whole, looks.last) = (isWhole ? begin : before.whole, now)
      looks.isOwing = looks.isOwing || isWhole || builds != before.builds
      return looks.isOwing
    }
    guard isOwing else { return }
    let list = builds.sorted()
    for day in try read({ try await $0.days(since: 0) }) {
      try look(hold) { try await $0.unread(on: day, list, from: $1) }
    }
    guard !worker.mustEnd, hold.isHeld else { return }
    looks.withLockedValue { ($0.builds, $0.isOwing) = (builds, false) }
  }

  /// All that is found, as often as something is.
  ///
  /// - Parameters:
  ///   - withoutSymbols: rather than not at all, while the store of symbols does not answer.
  ///   - find: called with the first number that is of interest; what it finds is in their order.
  private func look(
    _ hold: StateHold, withoutSymbols: Bool = false,
    _ find: @escaping @Sendable (ReportsToLookAt, Int64) async throws -> [ReportsToLookAt.Found]
  ) throws {
    var first: Int64 = 0
    var tried: Set<ReportsToLookAt.Found> = []
    while !worker.mustEnd, hold.isHeld {
      var names: Set<ReportName> = []
      // The other copy of one comes when it is known what was found; what was looked at in vain does not come again at once.
      let found = try read { [first] in try await find($0, first) }
      let new = found.filter { !tried.contains($0) && names.insert($0.name).inserted }
      tried.formUnion(new)
      var written = 0
      for start in stride(from: 0, to: new.count, by: Self.batch) where !worker.mustEnd && hold.isHeld {
        let part = Array(new[start..<min(start + Self.batch, new.count)])
        written += try look(at: part, hold, withoutSymbols: withoutSymbols)
      }
      guard written == 0 else { continue }
      // These wait for their events, or are of somebody who was erased; more may stand behind them.
      guard found.count == page, let last = found.last?.id else { return }
      first = max(last, first + 1)
    }
  }

  /// What the last look told the state, and may not have written: its rows are made again, and nothing is told.
  private func finishUnderWay(_ hold: StateHold) throws {
    let mark = try state.state.readNow { try LookMark(in: $0) }
    guard !mark.underWay.isEmpty else { return }
    let versions = try read { try await $0.versions(mark.underWay) }
    let left = mark.underWay.compactMap { versions[$0] }.filter { $0.revision < mark.last }
    try look(at: left.map(\.place), hold, told: Set(mark.underWay), withoutSymbols: true)
  }

  /// - Returns: how many rows it wrote.
  @discardableResult
  private func look(
    at found: [ReportsToLookAt.Found], _ hold: StateHold, told: Set<ReportName> = [], withoutSymbols: Bool
  ) throws -> Int {
    let mark = try state.state.readNow { try LookMark(in: $0) }
    let known = try read { try await $0.versions(found.map(\.name)) }
    let versions = try found.compactMap { one in known[one.name].map { (version: $0, place: one) } }
      // Of somebody who was erased the state is told nothing, either.
      .filter { try !isGone($0.version) }
    let builds = symbolizer.tools.symbolizer != nil ? Set(symbolizer.store.all.map(\.id)) : []
    // Of a report that was looked at, and came again on another day or shard, the row is written there as well.
    let again = versions.filter { $0.version.revision > 0 && builds.isDisjoint(with: $0.version.images) }
    let look = try self.look(
      versions.map(\.version).filter { $0.revision == 0 || !builds.isDisjoint(with: $0.images) },
      withoutSymbols: withoutSymbols)
    if again.isEmpty, look.looked.isEmpty, mark.underWay.isEmpty { return 0 }
    let number = mark.next
    let isNew = try state.state.writeNow { state in
      // Somebody else has taken the turn meanwhile.
      guard try LookMark(in: state.reading) == mark else { throw LookError.overtaken }
      let isNew = try look.tell(state, but: told)
      var next = mark
      (next.last, next.underWay) = (number, look.looked.map(\.before.name))
      try next.write(in: state)
      if isNew { try state.tell(.issues) }
      return isNew
    }
    let places = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let written = try put(hold) {
      var rows = ShardedRows(TelemetryTables.reports, map)
      for (version, place) in again {
        var copy = version
        copy.place = place
        try write(copy, to: &rows)
      }
      for one in look.looked {
        var version = one.after
        if let place = places[version.name] { version.place = place }
        version.revision = number
        if one.isFirst { version.looked = number }
        try write(version, to: &rows)
      }
      return rows
    }
    try state.state.writeNow { state in
      var mark = try LookMark(in: state.reading)
      guard mark.last == number else { throw LookError.overtaken }
      (mark.confirmed, mark.underWay) = (number, [])
      try mark.write(in: state)
    }
    if isNew { try state.followIssues() }
    return written
  }

  private func isGone(_ version: ReportVersion) throws -> Bool {
    try isErased(version.session, DataOwner(name: version.name.project))
  }

  private func write(_ version: ReportVersion, to rows: inout ShardedRows) throws {
    guard try !isGone(version) else { return }
    version.write(to: &rows)
  }

  /// What symbols say of reports.
  private func look(_ versions: [ReportVersion], withoutSymbols: Bool) throws -> IssueLook {
    let payloads = try payloads(versions)
    // A report can be there a moment before its event is.
    let recent = WallClock.now - Self.eventsAfter
    let versions = versions.filter { payloads[$0.name] != nil || $0.received < recent }
    var refined: [ReportName: (report: RefinedReport, fingerprint: Fingerprint)] = [:]
    var owing: Set<ReportName> = []
    for version in versions {
      guard let payload = payloads[version.name], let type = EventReport.Kind(rawValue: version.kind)?.eventType
      else { continue }
      do {
        guard let report = try RefinedReport(payload, type: type, symbolizer) else { continue }
        refined[version.name] = (report, Fingerprint(report.report, bundleId: version.bundleId))
      } catch let error as BlobError {
        guard withoutSymbols else { throw error }
        owing.insert(version.name)
      }
    }
    if !owing.isEmpty { looks.withLockedValue { $0.isOwing = true } }
    var names = Set<String>()
    for version in versions {
      names.formUnion(IssueLook.names(version.fingerprint, version.bundleId))
      if let made = refined[version.name] {
        names.formUnion(IssueLook.names(made.fingerprint.name, version.bundleId))
      }
    }
    var look = IssueLook(apps: try read { [names] in try await $0.apps(names) })
    for version in versions.sorted(by: { $0.id < $1.id }) {
      look.add(
        version, refined[version.name]?.report, refined[version.name]?.fingerprint,
        isOwing: owing.contains(version.name))
    }
    return look
  }

  private func payloads(_ versions: [ReportVersion]) throws -> [ReportName: Data] {
    var left = versions[...]
    var payloads: [ReportName: Data] = [:]
    while !left.isEmpty {
      let places = left.map {
        EventPlace(project: $0.name.project, session: $0.session, id: $0.id, timestamp: $0.timestamp)
      }
      let found = try waitFor { [telemetry] in
        try await telemetry.readOwn { try await $0.payloads(places, bytes: $0.limits.pageBytes) }
      }
      for version in left.prefix(found.places) { payloads[version.name] = found.json[version.id] }
      left = left.dropFirst(max(1, found.places))
    }
    return payloads
  }

  // MARK: ClickHouse

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (ReportsToLookAt) async throws -> Result
  ) throws -> Result {
    try waitFor { [telemetry, page] in
      try await telemetry.readOwn { try await body(ReportsToLookAt(reading: $0, most: page)) }
    }
  }

  /// Until all shards have them: what comes behind would be looked at in another order.
  ///
  /// - Parameter make: called before each attempt: somebody may have been erased since the last one.
  /// - Returns: how many there were.
  private func put(_ hold: StateHold, _ make: () throws -> ShardedRows) throws -> Int {
    var isToldOf = false
    while true {
      let rows = try make()
      guard !rows.isEmpty else { return 0 }
      do {
        try waitFor { [insert] in try await insert(rows) }
        return rows.count
      } catch let failure as InsertFailure {
        if !isToldOf {
          logger.error("ClickHouse does not take what was found; trying again", metadata: ["error": "\(failure)"])
        }
        isToldOf = true
        guard worker.pause(retryDelay), hold.isHeld else { throw failure }
      }
    }
  }
}
