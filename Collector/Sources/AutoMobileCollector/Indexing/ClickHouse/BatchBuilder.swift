import AutoMobileClickHouse
import Foundation

/// Reads the log and makes rows of it, delivery by delivery, until there is enough for a batch.
struct BatchBuilder {
  private let map: ShardMap
  private let dialect: Dialect
  private let limits: CollectorLimits
  private let batches: BatchLimits
  private let projects: @Sendable () -> Set<String>
  private let erased: @Sendable () throws -> ErasedNames?
  private(set) var cache = ContextCache()
  private(set) var reader: LogReader
  private var rows: TelemetryRows?
  /// Those in the batch at hand that ask for contexts.
  private(set) var asking: [WaitingDelivery] = []
  /// When the first delivery of the batch was read.
  private var since = Date.distantFuture
  private(set) var seconds = 0.0

  init(
    _ map: ShardMap, _ dialect: Dialect, reader: LogReader, limits: CollectorLimits, batches: BatchLimits,
    projects: @escaping @Sendable () -> Set<String>, erased: @escaping @Sendable () throws -> ErasedNames? = { nil }
  ) {
    self.map = map
    self.dialect = dialect
    self.reader = reader
    self.limits = limits
    self.batches = batches
    self.projects = projects
    self.erased = erased
  }

  var isEmpty: Bool { rows == nil }
  /// When it is sent, however little there is.
  var due: Date { since.addingTimeInterval(batches.patience) }

  /// Adds what there is before `end`.
  ///
  /// - Returns: whether that is enough for a batch.
  mutating func read(before end: LogPosition) throws -> Bool {
    let start = Date()
    defer { seconds += Date().timeIntervalSince(start) }
    while hasRoom, let entry = try reader.next(before: end) {
      var rows = try self.rows ?? new([:])
      // Given up here, so that it is changed where it is.
      self.rows = nil
      rows.add(entry)
      if !rows.asked.isEmpty {
        asking.append(
          WaitingDelivery(
            place: entry.start, receivedAt: entry.receivedAt, questions: rows.asked, number: entry.firstNumber))
      }
      self.rows = rows
      since = min(since, Date())
    }
    return (rows?.tally.stored ?? 0) >= batches.events || !hasRoom
  }

  private var hasRoom: Bool {
    guard let tally = rows?.tally else { return true }
    return tally.stored + tally.quarantined < batches.mostEvents && tally.consumed < batches.mostBytes
  }

  private func new(_ given: [ContextQuestion: ContextAnswer]) throws -> TelemetryRows {
    TelemetryRows(
      map, dialect, limits: limits, projects: projects(), cache: cache, given: given, erased: try erased())
  }

  /// What is not.
  var missing: Set<ContextQuestion> { rows?.missing ?? [] }
  /// What has been answered.
  var answers: [ContextQuestion: ContextAnswer] { rows?.used ?? [:] }
  /// The projects that it depends on.
  var usedProjects: Set<String> { rows?.usedProjects ?? [] }

  /// The batch, up to where the reader is; the next one is begun.
  mutating func take() -> TelemetryRows? {
    guard var rows else { return nil }
    self.rows = nil
    asking = []
    since = .distantFuture
    seconds = 0
    rows.remember(in: &cache)
    rows.finish()
    return rows
  }

  /// Makes the rows of a piece of the log, with answers to everything that they ask: byte for byte what they were the last time.
  ///
  /// - Parameters:
  ///   - left: deliveries in it that are left out.
  ///   - late: those before it that are in it.
  ///   - again: the projects that it was made with; nil: it is new. Then what is remembered of earlier batches may be used, and
  ///     becomes an answer of this one.
  mutating func make(
    from: LogPosition, to: LogPosition, given: [ContextQuestion: ContextAnswer], left: [LogPosition],
    late: [LogPosition], again: Set<String>? = nil
  ) throws {
    let start = Date()
    defer { seconds += Date().timeIntervalSince(start) }
    var rows =
      if let again {
        TelemetryRows(map, dialect, limits: limits, projects: again, given: given, erased: try erased())
      } else {
        try new(given)
      }
    for place in late {
      guard let entry = try reader.entry(at: place) else { continue }
      rows.add(entry)
      // It was counted when it was left.
      rows.tally.consumed -= entry.consumed
    }
    reader.seek(from)
    let left = Set(left)
    while let entry = try reader.next(before: to) {
      if left.contains(entry.start) { rows.tally.consumed += entry.consumed } else { rows.add(entry) }
    }
    reader.seek(to)
    self.rows = rows
    since = min(since, start)
  }

  /// What a delivery that was left by an earlier process asks; nil when it is not there any more.
  mutating func look(at place: LogPosition) throws -> WaitingDelivery? {
    let position = reader.position
    defer { reader.seek(position) }
    guard let entry = try reader.entry(at: place) else { return nil }
    var rows = try new([:])
    rows.add(entry)
    return WaitingDelivery(
      place: place, receivedAt: entry.receivedAt, questions: rows.asked, number: entry.firstNumber)
  }

  /// Whether nothing whole is left in the log.
  ///
  /// - Throws: ``SystemError`` when that cannot be told: what cannot be read may be something.
  func isAtEnd(of log: IngestLog) throws -> Bool {
    var reader = reader
    return try reader.next(before: log.end) == nil
  }

  /// The number of the first record that has not been read; nil when everything has.
  ///
  /// - Throws: ``SystemError``.
  func nextNumber(in log: IngestLog) throws -> Int64? {
    var reader = reader
    return try reader.next(before: log.end)?.firstNumber
  }

  /// Forgets the batch at hand.
  mutating func drop(backTo position: LogPosition) {
    rows = nil
    asking = []
    since = .distantFuture
    seconds = 0
    reader.seek(position)
  }
}
