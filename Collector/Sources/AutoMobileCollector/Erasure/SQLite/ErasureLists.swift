import AutoMobileClickHouse
import AutoMobileState

/// What is to be deleted where telemetry has no numbers of rows.
struct ErasedRows: Sendable {
  var sessions: [ErasureNames.Name]
  /// That were in one of these.
  var launches: [ErasureNames.Name] = []
  /// And in no other.
  var alone: [ErasureNames.Name] = []
  var replays: [ErasureNames.Name] = []

  init(sessions: [ErasureNames.Name]) { self.sessions = sessions }

  init(_ names: ErasureNames) throws {
    sessions = try names.all(.session)
    launches = try names.all(.launch)
    alone = try names.all(.alone)
    replays = try names.all(.replay)
  }

  var isEmpty: Bool { sessions.isEmpty && launches.isEmpty && replays.isEmpty }

  /// In one statement.
  private static let most = 1000

  /// The same, in pieces that fit into a statement.
  var pieces: [ErasedRows] {
    let all = [sessions, launches, alone, replays]
    let count = all.map(\.count).max() ?? 0
    return stride(from: 0, to: count, by: Self.most).map { start in
      let parts = all.map { Array($0.dropFirst(start).prefix(Self.most)) }
      var piece = ErasedRows(sessions: parts[0])
      (piece.launches, piece.alone, piece.replays) = (parts[1], parts[2], parts[3])
      return piece
    }
  }
}

/// The lists of names (``ErasureNames``) in the collector's own file, for whoever deletes elsewhere. Blocks: not for an event loop.
struct ErasureLists: Sendable {
  let store: EventStore
  /// What must not come back.
  let marks: ErasedNamesCache

  init(_ store: EventStore) {
    self.store = store
    marks = ErasedNamesCache(store)
  }

  func rows(of list: Int64) throws -> ErasedRows {
    try store.pool.read { try ErasedRows(ErasureNames(database: $0, list: list)) }
  }

  /// Hosts and paths of requests.
  func places(of list: Int64) throws -> [ErasureNames.Name] {
    try store.pool.read { try ErasureNames(database: $0, list: list).all(.place) }
  }

  func isCounted(_ list: Int64) throws -> Bool {
    try store.pool.read { try !ErasureNames(database: $0, list: list).all(.counted).isEmpty }
  }

  /// Adds to the erasure's receipt what is about to be deleted: once.
  func noteCounts(_ counts: [String: Int64], of list: Int64) throws {
    try store.pool.write { database in
      guard try ErasureNames(database: database, list: list).add(.counted, .init(project: "", name: "")) else { return }
      try Erasure.count(counts, of: list, in: database)
    }
  }

  func isLookedFor(_ list: Int64) throws -> Bool {
    try store.pool.read { try !ErasureNames(database: $0, list: list).all(.looked).isEmpty }
  }

  /// What came before the marks were known is in the list.
  ///
  /// - Returns: whether there is anything in it.
  func noteLooked(_ list: Int64) throws -> Bool {
    try store.pool.write { database in
      let names = ErasureNames(database: database, list: list)
      guard try !ErasedRows(names).isEmpty else { return false }
      try names.add(.looked, .init(project: "", name: ""))
      return true
    }
  }

  /// Nothing of it is left.
  func remove(_ list: Int64) throws {
    try store.pool.write { try ErasureNames(database: $0, list: list).remove() }
    // Who has read something of it, and not sent it yet, forgets that.
    try store.state.writeNow { try $0.tell(.erasures, "") }
  }

  /// What has come after it was erased.
  func note(
    _ sessions: Set<ErasureNames.Name>, _ around: ClickHouseSubject.Surroundings, of list: Int64, at now: Int64
  ) throws {
    try store.pool.write { database in
      // A collector that has erased nothing itself follows what others erased.
      try ErasureMarks.makeKey(in: database)
      let mark = ErasureMarks.Mark(erasure: list, at: now, ends: now + ErasureMarks.lifetime)
      try ClickHouseFinding.note(sessions, around, mark, list: list, in: database)
    }
    marks.changed()
  }

  /// Whether other collectors of the state can know of all marks that there are here.
  func areTold() throws -> Bool {
    guard store.sharesState else { return true }
    return try store.pool.read {
      try Bool.fetchOne($0, sql: "SELECT NOT EXISTS (SELECT 1 FROM erasure_mark WHERE told = 0)")
    } ?? true
  }

  /// How far everything is at this moment.
  func place(at now: Int64) throws -> ClusterLook {
    try store.state.readNow {
      ClusterLook(at: now, numbers: try ArrivalRows.lasts(in: $0), looks: try LookMark(in: $0).confirmed)
    }
  }

  /// How far it was when somebody looked last for what had come late; nil: nobody has.
  func look() throws -> ClusterLook? { try store.pool.read { try ClusterLook.of(.late, in: $0) } }

  func keep(_ look: ClusterLook) throws { try store.pool.write { try look.write(.late, in: $0) } }

  /// Nobody uses a route any more: what the state has about it goes.
  func forget(place: String, of list: Int64) throws {
    let gone = try store.state.writeNow {
      try SharedScrubOfState(what: "route", name: "", place: place).run(in: $0)
    }
    try store.pool.write { try Erasure.count(gone, of: list, in: $0) }
  }
}

extension ClickHouseErasing {
  convenience init(_ cluster: ClickHouseCluster, telemetry: ClickHouseTelemetry, store: EventStore) {
    self.init(cluster, telemetry: telemetry, lists: ErasureLists(store))
  }
}
