import AutoMobileClickHouse
import AutoMobileState
import Foundation
import GRDB

/// Brings what apps recorded from a data directory into ClickHouse, while no collector uses the directory, and compares it.
///
/// The directory's index is only read. How far it is stands in a file beside it, written when ClickHouse has confirmed a piece; the piece
/// at which it was ended is sent again, with the same names and numbers, and adds nothing.
package final class TelemetryMove: Sendable {
  package struct Progress: Sendable {
    package var done = 0
    package var all = 0
  }

  /// Where index and ClickHouse are not the same.
  package struct Difference: Sendable, CustomStringConvertible {
    package var description: String
  }

  let directory: DataDirectory
  let store: EventStore
  let state: any StateStore
  let cluster: ClickHouseCluster
  let address: ClickHouseAddress
  private let most: MoveReader.Most

  /// Makes the tables that are missing there. Waits on the thread that it is called on.
  ///
  /// - Parameter password: of ClickHouse; nil: the one that the environment names.
  /// - Throws: ``CollectorError`` when a collector uses the directory, something of it is not in its index yet, or there is no such place.
  package convenience init(
    _ url: URL, to place: TelemetryPlace, state: StatePlace, password: String? = nil
  ) throws {
    guard let address = try place.address(password: password) else {
      throw CollectorError.telemetryUnusable(reason: "it is moved to clickhouse://…, and to no other place")
    }
    guard let state = try state.open(password: nil) else { throw Self.needsState }
    do { try self.init(url, to: address, state, MoveReader.Most()) } catch {
      try? state.close()
      throw error
    }
  }

  /// - Parameter state: that the collectors there share; closed with this.
  init(_ url: URL, to address: ClickHouseAddress, _ state: any StateStore, _ most: MoveReader.Most) throws {
    guard FileManager.default.fileExists(atPath: url.appending(path: "index.sqlite").path) else {
      throw CollectorError.directoryUnusable(path: url.path, reason: "there is no collector's data in it")
    }
    directory = try DataDirectory(url)
    do {
      let store = try EventStore(reading: directory.index)
      do {
        try TelemetryMark.check(store)
        try Self.checkIndexed(directory, store)
        cluster = try Self.open(address)
      } catch {
        try? store.close()
        throw error
      }
      self.store = store
    } catch {
      directory.release()
      throw error
    }
    (self.address, self.state, self.most) = (address, state, most)
  }

  package func close() {
    try? cluster.shutdownNow()
    try? store.close()
    try? state.close()
    directory.release()
  }

  deinit { close() }

  private static let needsState = CollectorError.telemetryUnusable(
    reason:
      "name the state of the collectors that are to read it, with --state postgres://…: it counts who writes there")

  private static func open(_ address: ClickHouseAddress) throws -> ClickHouseCluster {
    do {
      let cluster = try waitFor { try await ClickHouseCluster.open(address) }
      guard cluster.silent.isEmpty else {
        try? cluster.shutdownNow()
        throw CollectorError.telemetryUnusable(reason: "not all servers of ClickHouse answer")
      }
      return cluster
    } catch let error as ClickHouseError {
      throw CollectorError.telemetryUnusable(reason: error.description)
    }
  }

  /// What waits in the log is no row of the index yet.
  private static func checkIndexed(_ directory: DataDirectory, _ store: EventStore) throws {
    let log = try LogDirectory(path: directory.ingestLog)
    let end = try log.segments().last.map { LogPosition(segment: $0.number, offset: $0.size) }
    guard let end, case let start = try store.logPosition(), start < end else { return }
    let most = store.limits.maximumLogBody
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LogFrame.headerSize + most, alignment: 16)
    defer { buffer.deallocate() }
    var reader = LogReader(directory: log, from: start, maximumBody: most, buffer: buffer)
    guard try reader.next(before: end) == nil else {
      throw CollectorError.directoryUnusable(
        path: directory.path,
        reason:
          "something in its log is not in its index yet: start its collector once, and stop it when it has caught up")
    }
  }

  // MARK: Moving

  /// - Returns: how much ClickHouse has of it.
  /// - Throws: ``CollectorError``, ``InsertFailure``, ``StateError``, or what the index says.
  package func move(onProgress: (Progress) -> Void = { _ in }) async throws -> Progress {
    var progress = try begin()
    try marks.tell()
    let (reader, projects) = (MoveReader(store: store, most: most), try projects())
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    var shown = Progress(done: progress.events, all: try await count())
    var launch: Int64 = 0
    while true {
      var rows = try rows(projects)
      guard let last = try reader.addLaunches(after: launch, to: &rows) else { break }
      try await insert(&rows, inserter)
      launch = last
    }
    while true {
      var (rows, numbers) = (try rows(projects), MoveNumbers(writer: progress.number, last: progress.last))
      guard let piece = try reader.add(after: progress.event, to: &rows, &numbers) else { break }
      try await insert(&rows, inserter)
      progress.event = piece.event
      progress.last = numbers.last
      progress.events += piece.count
      try progress.write(directory.path)
      shown.done = progress.events
      onProgress(shown)
    }
    try await moveRest(projects, inserter, MoveNumbers(writer: progress.number, last: progress.last))
    // Nothing is told of it as having arrived: what happened before is no news for forwarders, and for who looks on.
    progress.isDone = true
    try progress.write(directory.path)
    return shown
  }

  private func begin() throws -> MoveProgress {
    let cluster = address.cluster?.text
    let before = try MoveProgress.read(directory.path)
    if let before {
      guard before.database == address.database.text, before.cluster == cluster else {
        throw CollectorError.telemetryElsewhere(known: before.place, given: address.description)
      }
    }
    let identity = before?.identity ?? UUID().uuidString
    guard let taken = try WriterList.take(identity, bound: before?.number, in: state, at: WallClock.now) else {
      throw CollectorError.telemetryUnusable(
        reason: before == nil
          ? "as many collectors write into it as can: a number becomes free a day after its collector was last there"
          : "the number of this move was given away while it stood still: remove \(MoveProgress.file) to begin again")
    }
    if let before { return before }
    // A number that somebody had: theirs are not given again.
    let writer = Int64(taken.number)
    let last = try state.readNow { try ArrivalRows.last(of: writer, in: $0) }
    guard last < FrameNumbers.step else {
      throw CollectorError.telemetryUnusable(
        reason: "the only number that is left was another collector's, and what is older cannot be counted under it")
    }
    let progress = MoveProgress(
      place: address.description, database: address.database.text, cluster: cluster, identity: identity,
      number: taken.number)
    // Before anything is sent under it.
    try progress.write(directory.path)
    return progress
  }

  var marks: MoveMarks { MoveMarks(store: store, state: state) }

  /// With the marks as they are now: somebody may be erased while it moves.
  func rows(_ projects: Set<String>) throws -> TelemetryRows {
    TelemetryRows(cluster.map, cluster.dialect, limits: store.limits, projects: projects, erased: try marks.current())
  }

  func insert(_ rows: inout TelemetryRows, _ inserter: ClickHouseInserter) async throws {
    rows.finish()
    for table in rows.all { try await inserter.insert(table) }
  }

  private func projects() throws -> Set<String> {
    try store.own.readNow { try Set($0.rows("SELECT bundleId FROM project").map { try $0[0] as String }) }
  }

  private func count() async throws -> Int {
    try await store.pool.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM event") ?? 0 }
  }

  // MARK: Comparing

  /// Compares each event: its session, launch, position, kind, times and bytes.
  ///
  /// - Parameter most: differences after which it ends.
  /// - Throws: ``CollectorError`` when it has not been moved there, or not to its end.
  package func check(
    most: Int = 20, onProgress: (Progress) -> Void = { _ in }
  ) async throws -> (compared: Int, differences: [Difference]) {
    guard let progress = try MoveProgress.read(directory.path), progress.isDone else {
      throw CollectorError.telemetryUnusable(
        reason: "this directory has not been moved, or not to its end: automobile store move does that")
    }
    guard progress.database == address.database.text, progress.cluster == address.cluster?.text else {
      throw CollectorError.telemetryElsewhere(known: progress.place, given: address.description)
    }
    let reader = MoveReader(
      store: store, most: MoveReader.Most(events: min(self.most.events, 4000), bytes: self.most.bytes))
    var numbers = MoveNumbers(writer: progress.number, last: -1)
    var erased = try marks.current().map(MoveErased.init)
    var (event, differences, shown) = (Int64(0), [Difference](), Progress(all: try await count()))
    while differences.count < most {
      let events = try reader.events(after: event)
      guard let last = events.last else { break }
      event = last.id
      let wanted = events.map { (id: numbers.next($0.received), event: $0) }
      let found = try await there(wanted)
      for (id, event) in wanted where differences.count < most {
        let name = "event \(event.position) of launch \(event.launch)"
        let isErased = try erased == nil ? false : isErased(event, &erased)
        switch found[id] {
        case nil where isErased: break
        case _? where isErased: differences.append(Difference(description: "\(name) is there, and was erased"))
        case nil: differences.append(Difference(description: "\(name) is not there"))
        case let other? where other != Self.numbered(event, id):
          differences.append(Difference(description: "\(name) is another one: \(Self.unlike(other, event))"))
        default: break
        }
      }
      shown.done += events.count
      onProgress(shown)
    }
    return (shown.done, differences)
  }

  private static func numbered(_ event: MoveReader.Event, _ id: Int64) -> MoveReader.Event {
    var event = event
    event.id = id
    return event
  }

  /// Which columns; what is in them is nobody's business here.
  private static func unlike(_ one: MoveReader.Event, _ other: MoveReader.Event) -> String {
    let columns: [(String, Bool)] = [
      ("project", one.project == other.project), ("session", one.session == other.session),
      ("launch", one.launch == other.launch), ("position", one.position == other.position),
      ("timestamp", one.timestamp == other.timestamp), ("received", one.received == other.received),
      ("type", one.type == other.type), ("payload", one.payload == other.payload),
    ]
    return columns.filter { !$0.1 }.map(\.0).joined(separator: ", ")
  }

  private func there(_ wanted: [(id: Int64, event: MoveReader.Event)]) async throws -> [Int64: MoveReader.Event] {
    let ids = SQLValue.ints(wanted.map(\.id))
    let projects = SQLValue.strings(Array(Set(wanted.map(\.event.project))).sorted())
    let rows = try await cluster.client.rows(
      """
      SELECT `id`, `project`, `session`, `launch`, `position`, `timestamp`, `received`, toString(`type`), `payload` \
      FROM \(cluster.readable(TelemetryTables.events)) \
      WHERE `project` IN (SELECT arrayJoin(\(projects))) AND `id` IN (SELECT arrayJoin(\(ids))) LIMIT 1 BY `id`
      """
    ) { row in
      MoveReader.Event(
        id: try row.int(Int64.self), project: try row.string(), session: try row.string(), launch: try row.string(),
        position: try row.int(Int64.self), timestamp: try row.int(Int64.self), received: try row.int(Int64.self),
        type: try row.string(), payload: Data(buffer: try row.bytes()))
    }
    return Dictionary(rows.map { ($0.id, $0) }) { one, _ in one }
  }
}
