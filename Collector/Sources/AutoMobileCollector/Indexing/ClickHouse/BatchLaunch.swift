import AutoMobileClickHouse
import AutoMobileJournal

/// A launch, as far as one batch tells of it.
struct BatchLaunch {
  let id: LaunchID
  /// As the app calls it.
  let name: String
  let owner: IndexCaches.Owner
  /// Of events of which nothing says the session.
  let fallback: String
  var bundle: String?
  var sdk: String?
  /// That came in this batch, by their number.
  private(set) var contexts: [Int64: KnownContext] = [:]
  /// Of the records that told them, in the order of positions.
  private(set) var records: [(position: Int64, number: Int64)] = []
  /// By session, in the order in which they came.
  private(set) var parts: [LaunchPart] = []
  private var places: [String: Int] = [:]
  private var events = EventStretch(areBreadcrumbs: false)
  private var breadcrumbs = EventStretch(areBreadcrumbs: true)
  /// Numbers of contexts that were held back, and are written.
  private(set) var written: Set<Int64> = []

  init(_ id: LaunchID, owner: IndexCaches.Owner) {
    self.id = id
    self.owner = owner
    name = id.description
    fallback = "launch:\(name)"
  }

  var project: String { owner.owner.name }

  mutating func add(_ context: KnownContext) { contexts[context.number] = context }

  /// - Returns: whether it is the first time.
  mutating func write(_ number: Int64) -> Bool { written.insert(number).inserted }

  /// A record of it stands at a position.
  mutating func note(_ number: Int64, at position: Int64) {
    let index = records.lastIndex { $0.position <= position }
    if let index, records[index].position == position { return }
    records.insert((position, number), at: index.map { $0 + 1 } ?? 0)
  }

  /// The last one whose record stands before a position.
  func current(before position: Int64) -> KnownContext? {
    records.last { $0.position < position }.flatMap { contexts[$0.number] }
  }

  mutating func part(of session: String, id: Int64, received: Int64, _ change: (inout LaunchPart) -> Void) {
    let place: Int
    if let known = places[session] {
      place = known
    } else {
      place = parts.count
      places[session] = place
      parts.append(LaunchPart(session: session, id: id, received: received))
    }
    parts[place].received = max(parts[place].received, received)
    change(&parts[place])
  }

  // MARK: Its counts

  /// - Parameter failure: of an error.
  mutating func count(
    _ columns: RecordColumns, type: String, _ failure: KeptFailure? = nil, to rows: inout ShardedRows
  ) {
    if type == EventTypes.breadcrumb {
      breadcrumbs.add(columns, type: type, nil, to: &rows)
    } else {
      events.add(columns, type: type, failure, to: &rows)
    }
  }

  /// What comes next is of another delivery.
  mutating func endStretches(_ rows: inout ShardedRows) {
    events.end(&rows)
    breadcrumbs.end(&rows)
  }

  // MARK: Its ledger

  /// What a delivery's header counts.
  static func write(
    _ ledger: LaunchLedger, _ header: BatchHeader, _ launch: BatchLaunch, received: Int64, to rows: inout ShardedRows
  ) {
    rows.append(ShardKey.of(project: launch.project, session: launch.name)) { row in
      row.string(launch.project)
      row.string(launch.name)
      row.string(launch.bundle ?? "")
      row.string(launch.sdk ?? "")
      row.int(Int64(clamping: ledger.recorded))
      row.string(Self.dropped(ledger))
      row.int(Int64(clamping: ledger.torn))
      row.bool(ledger.final)
      row.nullable(ledger.kept.map { Int64(clamping: $0) })
      row.int(received)
      row.day(RecordColumns.day(received))
      row.nullable(header.sentAt)
      row.int(later(ledger))
    }
  }

  /// A ledger is cumulative, so of two the one with more counts is later; where no more has been recorded meanwhile, the one that
  /// keeps less.
  static func later(_ ledger: LaunchLedger) -> Int64 {
    let recorded = Int64(min(ledger.recorded, (1 << 40) - 1))
    let sent = (1 << 21) - 1 - Int64(min(ledger.kept ?? 0, (1 << 21) - 1))
    return (ledger.final ? 1 << 61 : 0) | recorded << 21 | sent
  }

  private static func dropped(_ ledger: LaunchLedger) -> String {
    var json = JSONOutput()
    json.object {
      for (reason, count) in ledger.dropped.sorted(by: { $0.key < $1.key }) {
        $0.member(reason, Int64(clamping: count))
      }
    }
    return String(buffer: json.buffer)
  }
}
