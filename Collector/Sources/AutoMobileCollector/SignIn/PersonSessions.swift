import Foundation
import GRDB
import NIOConcurrencyHelpers

/// Who is signed in. Kept in the database, so that a restart signs nobody out; looked up in memory.
final class PersonSessions: Sendable {
  private struct State: Sendable {
    var byHash: [Data: PersonSession] = [:]
    /// When the last use was written down, by the session's number.
    var noted: [Int64: Int64] = [:]
  }

  /// A session's last use is written down this often at most, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  let limits: SessionLimits
  private let pool: DatabasePool
  private let state = NIOLockedValueBox(State())

  init(pool: DatabasePool, limits: SessionLimits) throws {
    self.pool = pool
    self.limits = limits
    let known = try pool.read { try SignInTables.sessions(in: $0) }
    state.withLockedValue { state in
      for session in known { state.byHash[session.hash] = session }
    }
  }

  /// The session of a cookie's contents, when it is not over; notes that it was seen.
  ///
  /// Found by its hash, so the time that it takes says nothing of other sessions.
  func session(_ secret: SignInSecret, at now: Int64) -> PersonSession? {
    let hash = secret.hash
    let (found, isNoted): (PersonSession?, Bool) = state.withLockedValue { state in
      guard var session = state.byHash[hash], now < limits.end(of: session) else { return (nil, true) }
      session.lastSeenAt = max(now, session.lastSeenAt)
      state.byHash[hash] = session
      guard now - (state.noted[session.id] ?? 0) >= Self.noteInterval else { return (session, true) }
      state.noted[session.id] = now
      return (session, false)
    }
    if let found, !isNoted {
      Task { [pool] in
        _ = try? await pool.write {
          try $0.execute(
            sql: "UPDATE person_session SET lastSeenAt = MAX(lastSeenAt, ?) WHERE id = ?", arguments: [now, found.id])
        }
      }
    }
    return found
  }

  /// Whether a session that was good still is.
  func isGood(_ id: Int64, at now: Int64) -> Bool {
    state.withLockedValue { $0.byHash.values.contains { $0.id == id && now < limits.end(of: $0) } }
  }

  /// Signs somebody in. What the browser had before is over: nobody goes on with a session that another may know.
  ///
  /// - Returns: what the cookie holds, which is known at this moment only.
  func begin(
    _ person: Person, insteadOf before: SignInSecret?, address: String?, browser: String?, at now: Int64
  ) async throws -> (secret: SignInSecret, session: PersonSession) {
    let secret = SignInSecret()
    var session = PersonSession(
      id: 0, hash: secret.hash, person: person, createdAt: now, lastSeenAt: now, address: address,
      browser: browser.map { String($0.prefix(200)) })
    let over = leaving(for: person, at: now).union([before?.hash].compactMap(\.self))
    session.id = try await pool.write { [session] database in
      for hash in over {
        try database.execute(sql: "DELETE FROM person_session WHERE hash = ?", arguments: [hash])
      }
      return try SignInTables.insert(session, in: database)
    }
    forget { over.contains($0.hash) }
    state.withLockedValue { [session] in $0.byHash[session.hash] = session }
    return (secret, session)
  }

  /// Ends sessions at once.
  ///
  /// - Returns: how many.
  @discardableResult
  func end(where isMeant: @Sendable (PersonSession) -> Bool) async throws -> Int {
    let meant = state.withLockedValue { $0.byHash.values.filter(isMeant) }
    // First in memory: from now on nobody gets in with them, whatever the disk says.
    let ids = Set(meant.map(\.id))
    forget { ids.contains($0.id) }
    try await pool.write { database in
      for id in ids { try database.execute(sql: "DELETE FROM person_session WHERE id = ?", arguments: [id]) }
    }
    return meant.count
  }

  /// Those that are not over, the newest first.
  func list(at now: Int64) -> [PersonSession] {
    state.withLockedValue { $0.byHash.values.filter { now < limits.end(of: $0) } }.sorted { $0.id > $1.id }
  }

  /// What makes room for another session of somebody: what is over, and beyond the limits what was seen longest ago.
  private func leaving(for person: Person, at now: Int64) -> Set<Data> {
    state.withLockedValue { state in
      let (good, over) = state.byHash.values.reduce(into: ([PersonSession](), [PersonSession]())) {
        if now < limits.end(of: $1) { $0.0.append($1) } else { $0.1.append($1) }
      }
      let oldest = good.sorted { ($0.lastSeenAt, $0.id) < ($1.lastSeenAt, $1.id) }
      let own = oldest.filter { $0.person.isSame(as: person) }
      let leaving = own.prefix(max(0, own.count - limits.ofOnePerson + 1))
      let others = oldest.prefix(max(0, oldest.count - leaving.count - limits.all + 1))
      return Set((over + leaving + others).map(\.hash))
    }
  }

  private func forget(_ isMeant: (PersonSession) -> Bool) {
    state.withLockedValue { state in
      for (hash, session) in state.byHash where isMeant(session) {
        state.byHash[hash] = nil
        state.noted[session.id] = nil
      }
    }
  }
}
