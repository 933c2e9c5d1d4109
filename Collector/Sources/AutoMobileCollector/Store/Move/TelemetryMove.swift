import AutoMobileClickHouse
import AutoMobileJournal
import AutoMobileState
import Foundation

/// Brings what apps recorded from a data directory into ClickHouse, while no collector uses the directory, and compares it.
///
/// The directory's index is only read. How far it is stands in a file beside it, written when ClickHouse has confirmed a piece; the piece
/// at which it was ended is sent again, with the same names and numbers, and adds nothing. Of somebody who was erased nothing is moved.
package final class TelemetryMove: Sendable {
  package struct Progress: Sendable {
    package var done = 0
    package var all = 0
    /// Of those, what is not there: it is of somebody who was erased, or cannot be read and is in quarantine.
    package var erased = 0
    package var unreadable = 0
  }

  let moved: MovedDirectory
  let cluster: ClickHouseCluster
  let address: ClickHouseAddress
  let marks: MoveMarks
  let most: MoveReader.Most
  let state: any StateStore

  /// Makes the tables that are missing there. Waits on the thread that it is called on.
  ///
  /// - Parameter password: of ClickHouse; nil: the one that the environment names.
  /// - Throws: ``CollectorError`` when a collector uses the directory, something of it is not in its index yet, or there is no such place.
  package convenience init(
    _ url: URL, to place: TelemetryPlace, state: StatePlace, password: String? = nil
  ) throws {
    let address = try Self.address(place, password)
    guard let state = try state.open(password: nil) else {
      throw CollectorError.telemetryUnusable(
        reason:
          "name the state of the collectors that are to read it, with --state postgres://…: it counts who writes there")
    }
    try self.init(url, to: address, state, MoveReader.Most())
  }

  /// - Parameter state: that the collectors there share; closed with this, also when this fails.
  init(_ url: URL, to address: ClickHouseAddress, _ state: any StateStore, _ most: MoveReader.Most) throws {
    var open: [() -> Void] = [{ try? state.close() }]
    do {
      let moved = try MovedDirectory(url)
      open.append { moved.close() }
      let cluster = try Self.open(address)
      open.append { try? cluster.shutdownNow() }
      marks = try MoveMarks(moved.directory, state, cluster, moved.store.limits)
      (self.moved, self.cluster) = (moved, cluster)
    } catch {
      for close in open.reversed() { close() }
      throw error
    }
    (self.address, self.state, self.most) = (address, state, most)
  }

  package func close() {
    try? cluster.shutdownNow()
    marks.close()
    moved.close()
  }

  /// Whether it can begin, as far as that can be known before the state is moved. Waits on the thread that it is called on.
  ///
  /// - Throws: ``CollectorError``; nothing was changed but tables made.
  package static func examine(_ url: URL, to place: TelemetryPlace, password: String? = nil) throws {
    let address = try address(place, password)
    let moved = try MovedDirectory(url)
    defer { moved.close() }
    try MoveProgress.read(moved.path)?.check(address)
    try open(address).shutdownNow()
  }

  private static func address(_ place: TelemetryPlace, _ password: String?) throws -> ClickHouseAddress {
    guard let address = try place.address(password: password) else {
      throw CollectorError.telemetryUnusable(reason: "it is moved to clickhouse://…, and to no other place")
    }
    return address
  }

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

  // MARK: Moving

  /// - Returns: how much ClickHouse has of it.
  /// - Throws: ``CollectorError``, or what the index says. Called again, it goes on.
  package func move(onProgress: (Progress) -> Void = { _ in }) async throws -> Progress {
    do {
      return try await bring(onProgress)
    } catch let error as InsertFailure {
      throw Self.ended(error)
    } catch let error as StateError {
      throw Self.ended(error)
    }
  }

  private static func ended(_ error: any Error) -> CollectorError {
    CollectorError.telemetryUnusable(reason: "\(error). What was confirmed is there; call it again, and it goes on")
  }

  private func bring(_ onProgress: (Progress) -> Void) async throws -> Progress {
    var progress = try await offLoop { [self] in try begin() }
    var reader = MoveReader(store: moved.store, most: most)
    let (projects, all) = (try projects(), try await reader.count())
    let inserter = ClickHouseInserter(cluster, limits: .asBrought)
    var launch: Int64 = 0
    while true {
      var rows = try await rows(projects)
      guard let last = try reader.addLaunches(after: launch, to: &rows, progress) else { break }
      try await insert(&rows, inserter)
      launch = last
    }
    while true {
      var rows = try await rows(projects)
      var numbers = MoveNumbers(progress)
      guard let piece = try reader.add(after: progress.event, to: &rows, &numbers) else { break }
      try await insert(&rows, inserter)
      progress.add(piece, upTo: numbers.last)
      try progress.write(moved.path)
      onProgress(progress.shown(of: all))
    }
    let unnamed = try reader.unnamed()
    for start in stride(from: 0, to: unnamed.count, by: Self.contexts) {
      var rows = try await rows(projects)
      try reader.add(
        contexts: unnamed[start..<min(start + Self.contexts, unnamed.count)], to: &rows, id: max(0, progress.last))
      try await insert(&rows, inserter)
    }
    try await moveQuarantine(MoveNumbers(progress), inserter)
    let begun = progress.begun
    if let problem = try await offLoop({ [marks] in try marks.sweep(since: begun) }) {
      throw CollectorError.telemetryUnusable(
        reason:
          "what was moved of people who were erased meanwhile is not deleted yet: \(problem). Call it again, and it goes on"
      )
    }
    // Nothing is told of it as having arrived: what happened before is no news for forwarders, and for who looks on.
    progress.isDone = true
    try progress.write(moved.path)
    return progress.shown(of: all)
  }

  /// In one piece.
  private static let contexts = 1000

  /// Waits.
  private func begin() throws -> MoveProgress {
    let (writer, now) = (MoveWriter(state: state, cluster: cluster), WallClock.now)
    let before = try MoveProgress.read(moved.path)
    if let before {
      try before.check(address)
      try writer.check(before, at: now)
    }
    try marks.tell(moved.store)
    if let before { return before }
    let identity = UUID().uuidString
    let progress = MoveProgress(
      address, identity: identity, number: try writer.take(identity, at: now), begun: now)
    // Before anything is sent under it.
    try progress.write(moved.path)
    return progress
  }

  func rows(_ projects: Set<String>) async throws -> TelemetryRows {
    let erased = try await offLoop { [marks] in try marks.current() }
    return TelemetryRows(
      cluster.map, cluster.dialect, limits: moved.store.limits, projects: projects, erased: erased)
  }

  func insert(_ rows: inout TelemetryRows, _ inserter: ClickHouseInserter) async throws {
    rows.finish()
    for table in rows.all { try await inserter.insert(table) }
  }

  private func projects() throws -> Set<String> {
    try moved.store.own.readNow { try Set($0.rows("SELECT bundleId FROM project").map { try $0[0] as String }) }
  }
}

extension MoveProgress {
  fileprivate mutating func add(_ piece: MoveReader.Piece, upTo number: Int64) {
    (event, last) = (piece.event, number)
    events += piece.count
    erased += piece.erased
    unreadable += piece.unreadable
  }

  fileprivate func shown(of all: Int) -> TelemetryMove.Progress {
    TelemetryMove.Progress(done: events, all: all, erased: erased, unreadable: unreadable)
  }
}
