import AutoMobileState
import Foundation

// What becomes of asks. On their thread.
extension Asks {
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
      // After a start devices are told of nothing before that.
      if all.contains(where: { $0.isLookedFor && $0.looked < 0 }) { try findDevices() }
      // Each time, since much may arrive for long: neither what was told nor what ends waits for it.
      repeat {
        try writeTold()
        try sweep()
      } while try follows() && countArrived() && worker.pause(Self.breath)
    } catch {
      logger.error("asks cannot be followed; trying later", metadata: ["error": "\(error)"])
    }
    _ = worker.pause(Self.breath)
  }

  /// Whether this collector is the one of several that follows what becomes of asks.
  private func follows() throws -> Bool {
    let hold = try following.takeNow {
      // Whoever followed before may have come further.
      let known = Set(all.map(\.ask.id))
      take(try rows.readNow { try AskTables.open(in: $0) }, known: known)
    }
    return hold != nil
  }

  /// All that stand, the oldest first.
  var all: [OpenAsk] { state.withLockedValue { $0.open.values.joined().sorted { $0.ask.id < $1.ask.id } } }

  /// Has asks stand otherwise, in the state first.
  ///
  /// - Parameters:
  ///   - kept: those of which it can wait to be written down how far they have been looked at.
  ///   - statement: writes one of the others.
  func write(
    _ changes: [Ask], inMemory kept: [Ask] = [],
    _ statement: (Ask, borrowing StateWriting) throws -> Void = { _, _ in }
  ) throws {
    if !changes.isEmpty {
      try rows.writeNow { state in
        for ask in changes { try statement(ask, state) }
      }
    }
    state.withLockedValue { state in
      for ask in changes + kept {
        guard let index = state.open[ask.bundle]?.firstIndex(where: { $0.ask.id == ask.id }) else { continue }
        // An app may have heard of it since the copy was made; or another collector's before, of which this one has heard since.
        let toldAt = [ask.toldAt, state.open[ask.bundle]?[index].ask.toldAt].compactMap { $0 }.min()
        state.open[ask.bundle]?[index].ask = ask
        state.open[ask.bundle]?[index].ask.toldAt = toldAt
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
    try write(changes) { ask, state in
      if let at = ask.toldAt { try AskTables.noteTold(ask.id, at: at, in: state) }
    }
    state.withLockedValue { state in for id in told.keys { state.told[id] = nil } }
  }

  // MARK: What came

  /// Looks at what has arrived since, and counts what was asked for.
  ///
  /// - Returns: whether there is more to be looked at.
  private func countArrived() throws -> Bool {
    guard let first = all.map(\.ask.seen).min() else { return false }
    let found = try reading.arrived(after: first, most: stride) { [self] in all }
    guard let last = found.last else { return false }
    let at = now()
    var (came, others): ([Ask], [Ask]) = ([], [])
    for var ask in found.asks.map(\.ask) {
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
    // With how far it was looked: a process that dies before this looks at the same again, and counts it once.
    try write(came, inMemory: others) { ask, state in
      try AskTables.noteCame(ask.id, found.counts[ask.id] ?? 0, upTo: ask.seen, at: at, in: state)
    }
    return found.isFull
  }

  // MARK: What ends

  private func sweep() throws {
    let at = now()
    // A clock that is set back is no reason to wait until it is as late again.
    let since = at - sweptAt.withLockedValue({ $0 })
    guard since < 0 || since >= Self.sweepInterval else { return }
    sweptAt.withLockedValue { $0 = at }
    try forgetLost()
    try findDevices()
    guard try follows() else { return }
    let open = all
    // How far they have been looked at: what came before is not counted again after a restart.
    try write(open.map(\.ask)) { try AskTables.noteSeen($0.id, upTo: $0.seen, in: $1) }
    // What has come is no reason to say that there is nothing.
    let waiting = open.map(\.ask).filter { $0.state != .came }
    let empty = try reading.empty(waiting, at: at)
    let ended = open.map(\.ask).compactMap { ask -> Ask? in
      let end: Ask.End? = ask.endsAt <= at ? .over : empty.contains(ask.id) ? .expired : nil
      guard let end else { return nil }
      var ask = ask
      (ask.state, ask.end, ask.changedAt, ask.changedBy) = (.gone, end, at, nil)
      return ask
    }
    try write(ended) { ask, state in
      if let end = ask.end { try AskTables.end(ask.id, end, at: at, by: nil, in: state) }
    }
    forget(Set(ended.map(\.id)))
    let projects = projects()
    try rows.writeNow {
      try AskTables.purge(before: at - AskRules.remembered, beyond: AskRules.mostRemembered, projects, in: $0)
    }
  }

  // MARK: Whom it concerns

  /// A user may have been seen on another device since.
  func findDevices() throws {
    let last = try reading.newestContext()
    var isNews = false
    for open in all where open.isLookedFor && open.looked != last {
      guard !worker.mustEnd else { return }
      // A read for each, so that none lasts; and one that cannot be answered holds up no other.
      do {
        let look = try reading.look(for: open.ask, after: open.looked)
        if take(look, of: open) { isNews = true }
      } catch {
        logger.error(
          "the devices of an ask cannot be found; trying later",
          metadata: ["ask": "\(open.ask.id)", "error": "\(error)"])
      }
    }
    if isNews { changed() }
  }

  /// - Returns: whether it concerns others than before.
  private func take(_ look: AskAudience.Look, of before: OpenAsk) -> Bool {
    state.withLockedValue { state in
      let ask = before.ask
      guard let index = state.open[ask.bundle]?.firstIndex(where: { $0.ask.id == ask.id }),
        var open = state.open[ask.bundle]?[index], open.looked == before.looked
      else { return false }
      let known = open.looked < 0 ? [] : open.devices ?? []
      open.devices = known.count < AskAudience.mostDevices ? known.union(look.devices) : known
      open.looked = look.last
      state.open[ask.bundle]?[index] = open
      return open.devices != before.devices
    }
  }
}
