import AutoMobileState
import Foundation

/// Asking, and taking it back.
extension Asks {
  /// Writes down what somebody asks for; apps that it concerns hear of it from then on.
  ///
  /// - Throws: ``APIError`` when there is no such session, nothing is kept of it, it is asked for already, or there are too many.
  func ask(_ wish: AskRules.Wish, _ scope: OperatorScope, by author: String) async throws -> Ask {
    var ask = Ask(
      id: 0, bundle: wish.bundle, kind: wish.kind, subject: wish.subject, session: nil, from: wish.from, to: wish.to,
      reason: wish.reason, askedBy: author, askedAt: now(), endsAt: now() + AskRules.lifetime, state: .asked, end: nil,
      changedAt: now(), changedBy: author, toldAt: nil, cameAt: nil, events: 0, seen: 0)
    if wish.kind == .session { try await complete(&ask, scope) }
    try scope.check(ask.bundle)
    let (wanted, projects) = (ask, self.projects())
    try await rows.read { try Self.checkRoom(for: wanted, projects, in: $0) }
    // Before it is kept, since events may lie elsewhere. Those that come between the two are not counted all the same: no app has
    // heard of it by then.
    let (look, newest) = try await reading.begin(wanted)
    ask.seen = newest
    let draft = ask
    let kept = try await rows.write { state in
      try Self.checkRoom(for: draft, projects, in: state.reading)
      return try AskTables.insert(draft, in: state)
    }
    remember(OpenAsk(ask: kept, devices: look.devices, looked: look.last))
    // Whoever withdrew it, or erased whom it is about, before it was in memory found nothing there to forget.
    let isLost = (try? await rows.read { try AskTables.one(kept.id, in: $0)?.isOpen != true }) ?? false
    if isLost { forget([kept.id]) }
    logger.notice(
      "something that devices keep is asked for",
      metadata: ["ask": "\(kept.id)", "bundle": "\(kept.bundle)", "by": "\(author)"])
    changed()
    return kept
  }

  /// The news of it may have come first.
  private func remember(_ open: OpenAsk) {
    state.withLockedValue { state in
      if let index = state.open[open.ask.bundle]?.firstIndex(where: { $0.ask.id == open.ask.id }) {
        state.open[open.ask.bundle]?[index].devices = open.devices
        state.open[open.ask.bundle]?[index].looked = open.looked
      } else {
        state.open[open.ask.bundle, default: []].append(open)
      }
    }
  }

  /// What the index knows of the session that is asked for.
  private func complete(_ ask: inout Ask, _ scope: OperatorScope) async throws {
    let name = ask.subject
    let found = try await reading.session(scope.reading, name, at: now())
    guard let found else {
      throw APIError(
        .notFound, "no_session",
        "there is no session \(name.prefix(100)): until its device has told of it, ask for the device or the user")
    }
    guard let bundle = found.bundle, !found.owner.isFile, !found.given.hasPrefix("launch:") else {
      throw APIError(.conflict, "no_device", "this session came from no app that can be asked: from a file, or unnamed")
    }
    guard ask.bundle.isEmpty || ask.bundle == bundle else {
      throw APIError.badRequest("invalid_bundle", "the session is of \(bundle), not of \(ask.bundle)")
    }
    guard !found.keepsNothing else {
      throw APIError(
        .conflict, "nothing_kept", "there is nothing to ask for: its device keeps nothing of it that is not here")
    }
    (ask.bundle, ask.subject, ask.session) = (bundle, found.given, name)
  }

  private static func checkRoom(
    for ask: Ask, _ projects: Set<String>, in state: borrowing StateReading
  ) throws {
    let open = try AskTables.open(in: state)
    if let same = open.first(where: {
      $0.bundle == ask.bundle && $0.kind == ask.kind && $0.subject == ask.subject && $0.from == ask.from
        && $0.to == ask.to
    }) {
      throw APIError(.conflict, "asked_already", "\(same.askedBy) has asked for this already: number \(same.id)")
    }
    // Names within a project's are no further apps: whoever may ask for one of them may make up any number.
    let owner = DataOwner.app(ask.bundle, among: projects)
    guard open.count < AskRules.most,
      open.count(where: { DataOwner.app($0.bundle, among: projects) == owner }) < AskRules.mostOfApp
    else {
      throw APIError(
        .conflict, "too_many",
        """
        as much is asked for as may be (\(AskRules.mostOfApp) of an app with its extensions, \(AskRules.most) in all): \
        withdraw something
        """)
    }
  }

  /// Nobody is told of it any more. What has been marked on a device already may still come.
  ///
  /// - Throws: ``APIError`` when there is no such ask, or it is gone.
  func withdraw(_ id: Int64, _ scope: OperatorScope, by author: String) async throws -> Ask {
    let at = now()
    let ask = try await rows.write { state -> Ask in
      guard var ask = try AskTables.one(id, in: state.reading), scope.reading.sees(ask.bundle) else {
        throw Self.unknown
      }
      guard try AskTables.end(id, .withdrawn, at: at, by: author, in: state) else {
        throw APIError(.conflict, "ask_gone", "this ask is gone already")
      }
      (ask.state, ask.end, ask.changedAt, ask.changedBy) = (.gone, .withdrawn, at, author)
      return ask
    }
    forget([id])
    return ask
  }

  /// What is gone is told to nobody any more.
  func forget(_ ids: Set<Int64>) {
    guard !ids.isEmpty else { return }
    state.withLockedValue { state in
      for bundle in state.open.keys {
        state.open[bundle]?.removeAll { ids.contains($0.ask.id) }
        if state.open[bundle]?.isEmpty == true { state.open[bundle] = nil }
      }
      for id in ids { state.told[id] = nil }
    }
    documents.removeAll()
    changed()
  }

  /// Rows have gone.
  func reload() {
    do {
      try forgetLost()
      // What was written by hand may have named it, too.
      documents.removeAll()
      // A device that is erased goes from where it was found, and may be found again.
      state.withLockedValue { state in
        for bundle in state.open.keys {
          for index in state.open[bundle]?.indices ?? 0..<0 { state.open[bundle]?[index].looked = -1 }
        }
      }
      worker.wake()
    } catch {
      logger.error("asks cannot be read", metadata: ["error": "\(error)"])
    }
  }

  /// Of what has no row any more nobody is told.
  func forgetLost() throws {
    // In this order: what is in memory was written before, so what is not there now has gone.
    let known = state.withLockedValue { Set($0.open.values.joined().map(\.ask.id)) }
    guard !known.isEmpty else { return }
    forget(known.subtracting(try rows.readNow { try AskTables.open(in: $0) }.map(\.id)))
  }

  // MARK: What others ask

  /// Somebody asked for something, or took it back; or it stands otherwise.
  func hear() async {
    let known = state.withLockedValue { Set($0.open.values.joined().map(\.ask.id)) }
    do {
      take(try await rows.read { try AskTables.open(in: $0) }, known: known)
    } catch {
      logger.error("asks cannot be read", metadata: ["error": "\(error)"])
    }
  }

  /// - Parameters:
  ///   - rows: those that stand.
  ///   - known: those that were in memory before these were read: of them, what is not there has gone.
  func take(_ rows: [Ask], known: Set<Int64>) {
    let isNews = state.withLockedValue { state -> Bool in
      var isNews = false
      for row in rows {
        guard let index = state.open[row.bundle]?.firstIndex(where: { $0.ask.id == row.id }),
          let old = state.open[row.bundle]?[index].ask
        else {
          state.open[row.bundle, default: []].append(OpenAsk(ask: row))
          state.open[row.bundle]?.sort { $0.ask.id < $1.ask.id }
          isNews = true
          continue
        }
        var row = row
        // This collector may know what it has not written down yet.
        (row.seen, row.toldAt) = (max(row.seen, old.seen), row.toldAt ?? old.toldAt)
        state.open[row.bundle]?[index].ask = row
      }
      return isNews
    }
    forget(known.subtracting(rows.map(\.id)))
    guard isNews else { return }
    changed()
    // It looks for the devices.
    worker.wake()
  }

  static var unknown: APIError { APIError(.notFound, "no_ask", "there is no ask of this number") }
}
