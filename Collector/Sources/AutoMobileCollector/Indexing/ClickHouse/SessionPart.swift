import AutoMobileClickHouse

/// What a batch tells of a session.
struct SessionPart {
  let shard: UInt64
  var first = Int64.max
  var last = Int64.min
  private var received: Int64 = 0
  private var told: Int64 = 0
  private var context: ContextRecord?
  private var bundle = ""
  private var screen = ""
  private var visited = Int64.min
  private var hasFailed = false
  private var types: Set<String> = []
  private var screens: Set<String> = []
  private var launches: Set<String> = []

  init(shard: UInt64) { self.shard = shard }

  /// Something of it came at all: what only says how it ended makes no session.
  var isThere: Bool { first <= last }

  mutating func add(type: String, from first: Int64, to last: Int64, received: Int64, launch: String?) {
    self.first = min(self.first, first)
    self.last = max(self.last, last)
    self.received = max(self.received, received)
    if !types.contains(type) { types.insert(type) }
    if let launch, !launches.contains(launch) { launches.insert(launch) }
  }

  mutating func fail() { hasFailed = true }

  mutating func visit(_ screen: String, at timestamp: Int64) {
    add(screen: screen)
    guard timestamp >= visited else { return }
    (self.screen, visited) = (screen, timestamp)
  }

  mutating func add(screen: String) {
    guard screen.utf8.count <= EventFields.maximumName, screens.count < NameLimits.screens else { return }
    screens.insert(screen)
  }

  /// The newest that is told counts.
  mutating func tell(_ context: ContextRecord?, bundle: String?, number: Int64) {
    if let context { self.context = context }
    if let bundle { self.bundle = bundle }
    told = max(told, number)
  }

  func write(_ project: String, _ session: String, to rows: inout ShardedRows) {
    rows.append(shard) { row in
      row.string(project)
      row.string(session)
      row.int(first)
      row.int(last)
      row.int(received)
      row.int(told)
      row.string(bundle)
      row.string(context?.appVersion ?? "")
      row.string(context?.userId ?? "")
      row.string(ContextRecord.json(context?.tags) ?? "")
      row.string(ContextRecord.json(context?.device) ?? "")
      row.string(screen)
      row.int(visited)
      row.bool(hasFailed)
      // Sorted: the same batch is the same bytes.
      row.array(types.sorted()) { $0.string($1) }
      row.array(screens.sorted()) { $0.string($1) }
      row.day(RecordColumns.day(received))
      row.array(launches.sorted()) { $0.string($1) }
    }
  }
}

/// What a batch tells of a launch in a session.
struct LaunchPart {
  let session: String
  /// Of the first record.
  let id: Int64
  var first: Int64?
  var last: Int64?
  var lastEvent: Int64?
  var received: Int64

  init(session: String, id: Int64, received: Int64) {
    (self.session, self.id, self.received) = (session, id, received)
  }

  /// - Parameter isEvent: it happened; a summary only tells.
  mutating func add(_ timestamp: Int64, isEvent: Bool) {
    first = min(first ?? timestamp, timestamp)
    last = max(last ?? timestamp, timestamp)
    if isEvent { lastEvent = max(lastEvent ?? timestamp, timestamp) }
  }

  func write(_ project: String, _ launch: String, bundle: String?, sdk: String?, to rows: inout ShardedRows) {
    rows.append(ShardKey.of(project: project, session: launch)) { row in
      row.string(project)
      row.string(launch)
      row.string(session)
      row.int(id)
      row.nullable(first)
      row.nullable(last)
      row.string(bundle ?? "")
      row.string(sdk ?? "")
      row.int(received)
      row.day(RecordColumns.day(received))
      row.nullable(lastEvent)
      row.bool(true)
      row.bool(true)
    }
  }
}
