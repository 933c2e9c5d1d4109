import AutoMobileState
import Foundation
import Logging

/// Who is signed in. Kept in the state, so that a restart signs nobody out; looked up in memory.
final class PersonSessions: Sendable {
  /// What is in memory.
  private struct Known: Sendable {
    var byHash: [Data: PersonSession]
    /// When the last use was written down.
    var noted: [Data: Int64] = [:]
    /// When others were last told of what was written down.
    var told: Int64 = 0
    /// Nobody gets in with these, whether or not the state has forgotten them already.
    var ended: Set<Data> = []

    init(_ sessions: [PersonSession]) {
      byHash = Dictionary(sessions.map { ($0.hash, $0) }) { _, last in last }
    }

    /// What was read, with what only memory knows.
    static func merged(_ old: Known, _ new: Known) -> Known {
      var merged = new
      merged.told = old.told
      for (hash, session) in new.byHash {
        if old.ended.contains(hash) {
          merged.byHash[hash] = nil
          merged.ended.insert(hash)
        } else if let before = old.byHash[hash] {
          merged.byHash[hash]?.lastSeenAt = max(session.lastSeenAt, before.lastSeenAt)
          merged.noted[hash] = old.noted[hash]
        }
      }
      return merged
    }

    mutating func end(_ hashes: Set<Data>) {
      for hash in hashes {
        byHash[hash] = nil
        noted[hash] = nil
      }
      ended.formUnion(hashes)
    }
  }

  /// A session's last use is written down this often at most, in milliseconds.
  private static let noteInterval: Int64 = 60_000

  let limits: SessionLimits
  private let state: any StateStore
  private let memory: StateMemory<Known>

  init(_ state: any StateStore, limits: SessionLimits, logger: Logger) throws {
    (self.state, self.limits) = (state, limits)
    memory = try StateMemory(
      of: [.people], in: state, logger: logger, load: { Known(try SignInTables.sessions(in: $0)) }, merge: Known.merged)
  }

  /// The session of a cookie's contents, when it is not over; notes that it was seen.
  ///
  /// Found by its hash, so the time that it takes says nothing of other sessions.
  func session(_ secret: SignInSecret, at now: Int64) -> PersonSession? {
    let hash = secret.hash
    let (found, notes, tells): (PersonSession?, Bool, Bool) = memory.note { known in
      guard var session = known.byHash[hash], now < limits.end(of: session) else { return (nil, false, false) }
      session.lastSeenAt = max(now, session.lastSeenAt)
      known.byHash[hash] = session
      guard now - (known.noted[hash] ?? 0) >= Self.noteInterval else { return (session, false, false) }
      known.noted[hash] = now
      // Often enough that nobody is signed out by one collector while another one serves them.
      let tells = now - known.told >= Int64(limits.idleSeconds * 1000 / 8)
      if tells { known.told = now }
      return (session, true, tells)
    }
    if let found, notes {
      Task { [state] in
        _ = try? await state.write { state in
          try state.execute(
            "UPDATE person_session SET lastSeenAt = ?1 WHERE id = ?2 AND lastSeenAt < ?1", now, found.id)
          if tells { try state.tell(.people) }
        }
      }
    }
    return found
  }

  /// Whether a session that was good still is.
  func isGood(_ id: Int64, at now: Int64) -> Bool {
    memory.with { $0.byHash.values.contains { $0.id == id && now < limits.end(of: $0) } }
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
    session.id = try await memory.write { [session] state in
      for hash in over { try state.execute("DELETE FROM person_session WHERE hash = ?1", hash) }
      let id = try SignInTables.insert(session, in: state)
      try state.tell(.people)
      return id
    } then: { [session] known, id in
      known.end(over)
      known.byHash[session.hash] = session
      known.byHash[session.hash]?.id = id
    }
    return (secret, session)
  }

  /// Ends sessions at once.
  ///
  /// - Returns: how many.
  @discardableResult
  func end(where isMeant: @escaping @Sendable (PersonSession) -> Bool) async throws -> Int {
    // First in memory: from now on nobody gets in with them, whatever the disk says.
    let known = Set(memory.with { $0.byHash.values.filter(isMeant) }.map(\.hash))
    memory.change { $0.end(known) }
    // With those that began at another collector, of which this one has not heard yet.
    let all = try await state.write { state in
      let all = try known.union(SignInTables.sessions(in: state.reading).filter(isMeant).map(\.hash))
      for hash in all { try state.execute("DELETE FROM person_session WHERE hash = ?1", hash) }
      try state.tell(.people)
      return all
    }
    memory.change { $0.end(all) }
    return all.count
  }

  /// Those that are not over, the newest first.
  func list(at now: Int64) -> [PersonSession] {
    memory.with { $0.byHash.values.filter { now < limits.end(of: $0) } }.sorted { $0.id > $1.id }
  }

  /// What makes room for another session of somebody: what is over, and beyond the limits what was seen longest ago.
  private func leaving(for person: Person, at now: Int64) -> Set<Data> {
    memory.with { known in
      let (good, over) = known.byHash.values.reduce(into: ([PersonSession](), [PersonSession]())) {
        if now < limits.end(of: $1) { $0.0.append($1) } else { $0.1.append($1) }
      }
      let oldest = good.sorted { ($0.lastSeenAt, $0.id) < ($1.lastSeenAt, $1.id) }
      let own = oldest.filter { $0.person.isSame(as: person) }
      let leaving = own.prefix(max(0, own.count - limits.ofOnePerson + 1))
      let others = oldest.prefix(max(0, oldest.count - leaving.count - limits.all + 1))
      return Set((over + leaving + others).map(\.hash))
    }
  }
}
