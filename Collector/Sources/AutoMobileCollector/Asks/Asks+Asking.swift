import Foundation
import GRDB

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
    let (draft, projects) = (ask, self.projects())
    // Not in the transaction that writes: the indexer would wait for it.
    let look = try await store.pool.read { database in
      try Self.checkRoom(for: draft, projects, in: database)
      return try AskAudience.look(for: draft, after: 0, in: database)
    }
    let open = try await store.pool.write { [state] database -> OpenAsk in
      try Self.checkRoom(for: draft, projects, in: database)
      var draft = draft
      draft.seen = try Int64.fetchOne(database, sql: "SELECT MAX(id) FROM event") ?? 0
      let ask = try AskTables.insert(draft, in: database)
      let open = OpenAsk(ask: ask, devices: look.devices, looked: look.last)
      // Before the next change: whoever withdraws it, or erases whom it is about, finds it in memory, too.
      database.afterNextTransaction { _ in state.withLockedValue { $0.open[ask.bundle, default: []].append(open) } }
      return open
    }
    logger.notice(
      "something that devices keep is asked for",
      metadata: ["ask": "\(open.ask.id)", "bundle": "\(open.ask.bundle)", "by": "\(author)"])
    changed()
    return open.ask
  }

  /// What the index knows of the session that is asked for.
  private func complete(_ ask: inout Ask, _ scope: OperatorScope) async throws {
    let name = ask.subject
    let found = try await store.read(scope.reading) { [at = now()] in try KnownSession(name, at: at, in: $0) }
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

  private struct KnownSession: Sendable {
    /// As its app calls it.
    var given: String
    var bundle: String?
    var owner: DataOwner
    var keepsNothing: Bool

    /// Nil when there is no such session.
    init?(_ name: String, at now: Int64, in database: Database) throws {
      guard
        let row = try Row.fetchOne(
          database,
          sql: """
            SELECT given, bundleId, owner.name FROM session JOIN owner ON owner.id = session.owner WHERE sessionId = ?
            """, arguments: [name])
      else { return nil }
      (given, bundle, owner) = (row[0], row[1], DataOwner(name: row[2]))
      keepsNothing = try AskAudience.keepsNothing(of: name, at: now, in: database)
    }
  }

  private static func checkRoom(for ask: Ask, _ projects: Set<String>, in database: Database) throws {
    let open = try AskTables.open(in: database)
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
    let known = try await store.read(scope.reading) { try AskTables.one(id, in: $0) }
    guard known != nil else { throw Self.unknown }
    let ask = try await store.pool.write { database -> Ask in
      guard var ask = try AskTables.one(id, in: database) else { throw Self.unknown }
      (ask.state, ask.end, ask.changedAt, ask.changedBy) = (.gone, .withdrawn, at, author)
      guard try AskTables.update(ask, in: database) else {
        throw APIError(.conflict, "ask_gone", "this ask is gone already")
      }
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
    forget(known.subtracting(try store.pool.read { try AskTables.open(in: $0) }.map(\.id)))
  }

  static var unknown: APIError { APIError(.notFound, "no_ask", "there is no ask of this number") }
}
