import Foundation
import GRDB

// What becomes of asks. On their thread.
extension Asks {
  /// Events that are looked at in one go.
  private static let stride = 5000
  /// Between two looks at what has arrived, in seconds: while much arrives, the indexer has the rest of the time.
  private static let breath = 0.25
  /// Between two looks for what ends, in milliseconds.
  private static let sweepInterval: Int64 = 30_000

  /// The index has grown.
  func eventsArrived() {
    let isWaiting = state.withLockedValue { $0.open.values.contains { $0.contains { $0.ask.toldAt != nil } } }
    if isWaiting { worker.wake() }
  }

  func work() {
    do {
      try writeTold()
      while try countArrived(), worker.pause(Self.breath) {}
      try sweep()
    } catch {
      logger.error("asks cannot be followed; trying later", metadata: ["error": "\(error)"])
    }
    _ = worker.pause(Self.breath)
  }

  private var all: [OpenAsk] { state.withLockedValue { $0.open.values.joined().sorted { $0.ask.id < $1.ask.id } } }

  /// Has asks stand otherwise, in the index first.
  ///
  /// - Parameter kept: those of which it can wait to be written down how far they have been looked at.
  private func write(_ changes: [Ask], inMemory kept: [Ask] = []) throws {
    if !changes.isEmpty {
      try store.pool.write { database in
        for ask in changes { try AskTables.update(ask, in: database) }
      }
    }
    state.withLockedValue { state in
      for ask in changes + kept {
        guard let index = state.open[ask.bundle]?.firstIndex(where: { $0.ask.id == ask.id }) else { continue }
        state.open[ask.bundle]?[index].ask = ask
      }
    }
  }

  private func writeTold() throws {
    let told = state.withLockedValue { $0.told }
    let changes = all.compactMap { open -> Ask? in
      guard let at = told[open.ask.id] else { return nil }
      var ask = open.ask
      ask.toldAt = at
      if ask.state == .asked { (ask.state, ask.changedAt, ask.changedBy) = (.onItsWay, at, nil) }
      return ask
    }
    try write(changes)
    state.withLockedValue { state in for id in told.keys { state.told[id] = nil } }
  }

  // MARK: What came

  /// Looks at what has arrived since, and counts what was asked for.
  ///
  /// - Returns: whether there is more to be looked at.
  private func countArrived() throws -> Bool {
    let open = all
    guard let first = open.map(\.ask.seen).min() else { return false }
    let found = try store.pool.read { database in try Arrived(after: first, most: Self.stride, open, in: database) }
    guard let last = found.last else { return false }
    let at = now()
    var (came, others): ([Ask], [Ask]) = ([], [])
    for var ask in open.map(\.ask) {
      let count = found.counts[ask.id] ?? 0
      ask.seen = max(ask.seen, last)
      guard count > 0 else {
        others.append(ask)
        continue
      }
      ask.events += count
      ask.cameAt = ask.cameAt ?? at
      if ask.state != .came { (ask.state, ask.changedAt, ask.changedBy) = (.came, at, nil) }
      came.append(ask)
    }
    try write(came, inMemory: others)
    return found.isFull
  }

  private struct Arrived {
    var counts: [Int64: Int64] = [:]
    var last: Int64?
    var isFull = false

    init(after first: Int64, most: Int, _ open: [OpenAsk], in database: Database) throws {
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT event.id, session, timestamp, event_type.name, received FROM event JOIN event_type ON event_type.id = event.type
            WHERE event.id > ? ORDER BY event.id LIMIT ?
            """), arguments: [first, most])
      isFull = rows.count == most
      last = rows.last.map { $0[0] }
      let needsDevices = open.contains { $0.ask.kind == .device }
      for (session, rows) in Dictionary(grouping: rows, by: { $0[1] as Int64 }) {
        guard let session = try AskAudience.session(session, withDevices: needsDevices, in: database) else { continue }
        for open in open where open.isAbout(session) {
          let ask = open.ask
          // What came before any app had heard of it came for another reason.
          guard let toldAt = ask.toldAt else { continue }
          let count = rows.count { row in
            let (id, time, type, received): (Int64, Int64, String, Int64) = (row[0], row[2], row[3], row[4])
            return id > ask.seen && received >= toldAt && ask.admits(time) && type != AskAudience.summaryType
          }
          if count > 0 { counts[ask.id, default: 0] += Int64(count) }
        }
      }
    }
  }

  // MARK: What ends

  private func sweep() throws {
    let at = now()
    guard at - sweptAt.withLockedValue({ $0 }) >= Self.sweepInterval else { return }
    sweptAt.withLockedValue { $0 = at }
    try forgetLost()
    let open = all
    // How far they have been looked at: what came before is not counted again after a restart.
    try write(open.map(\.ask))
    let ended = try store.pool.read { database in
      try open.map(\.ask).compactMap { ask -> Ask? in
        guard let end = try Self.end(of: ask, at, in: database) else { return nil }
        var ask = ask
        (ask.state, ask.end, ask.changedAt, ask.changedBy) = (.gone, end, at, nil)
        return ask
      }
    }
    try write(ended)
    forget(Set(ended.map(\.id)))
    let projects = projects()
    try store.pool.write {
      try AskTables.purge(before: at - AskRules.remembered, beyond: AskRules.mostRemembered, projects, in: $0)
    }
    try findDevices()
  }

  private static func end(of ask: Ask, _ now: Int64, in database: Database) throws -> Ask.End? {
    if ask.endsAt <= now { return .over }
    // What has come is no reason to say that there is nothing.
    guard let session = ask.session, ask.state != .came else { return nil }
    switch try AskAudience.kept(of: session, in: database) {
    case .nothing: return .expired
    case .until(let time) where time < now: return .expired
    case .until, .unknown: return nil
    }
  }

  /// A user may have been seen on another device since.
  private func findDevices() throws {
    let found = try store.pool.read { try Self.open(in: $0) }
    let isNews = state.withLockedValue { state -> Bool in
      var isNews = false
      for (bundle, asks) in found {
        for ask in asks {
          guard let index = state.open[bundle]?.firstIndex(where: { $0.ask.id == ask.ask.id }),
            state.open[bundle]?[index].devices != ask.devices
          else { continue }
          state.open[bundle]?[index].devices = ask.devices
          isNews = true
        }
      }
      return isNews
    }
    if isNews { changed() }
  }
}
