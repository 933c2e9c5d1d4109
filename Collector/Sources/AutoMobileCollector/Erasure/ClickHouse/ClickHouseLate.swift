import AutoMobileClickHouse
import NIOConcurrencyHelpers

/// Finds what came after an erasure from a collector that does not know its marks: sessions by their names, and those of people by what
/// contexts say. Nobody has the names any more, so all that came lately are compared with the marks.
final class ClickHouseLate: Sendable {
  private let telemetry: ClickHouseTelemetry
  private let lists: ErasureLists
  /// Up to where it has looked, by when things were received; nil: not since the start.
  private let looked = NIOLockedValueBox<Int64?>(nil)

  /// How far back the first look goes, in milliseconds: so long a collector's log may have waited. And each later one, behind the one
  /// before it.
  static let firstLook: Int64 = 7 * 86_400_000
  private static let overlap: Int64 = 3_600_000
  /// Sessions in one answer.
  private static let page = 20_000

  init(telemetry: ClickHouseTelemetry, lists: ErasureLists) {
    (self.telemetry, self.lists) = (telemetry, lists)
  }

  /// Writes into the list of late ones what has come since the last look.
  func note(at now: Int64) throws {
    let since = looked.withLockedValue { $0 } ?? now - Self.firstLook
    try note(in: ErasureNames.late, since: since - Self.overlap)
    looked.withLockedValue { $0 = now }
  }

  func note(in list: Int64, since: Int64) throws {
    guard let marks = try lists.marks.current() else { return }
    let (sessions, around) = try waitFor { [telemetry] in
      try await telemetry.readOwn { reading in
        let found = try await Self.sessions(marks, since: since, reading)
          .union(try await Self.ofPeople(marks, since: since, reading))
        return (found, try await ClickHouseSubject.surroundings(of: found, reading))
      }
    }
    guard !sessions.isEmpty else { return }
    try lists.note(sessions, around, of: list, at: WallClock.now)
  }

  private static func day(_ since: Int64) -> SQL { "day >= toDate(\(max(0, since / 86_400_000)))" }

  private struct Session: Sendable {
    var name: ErasureNames.Name
    var shard: UInt64
    /// Of people, as its contexts name them.
    var users: [String] = []
    var devices: [String] = []
  }

  private static func sessions(
    _ marks: ErasedNames, since: Int64, _ reading: ClickHouseReading
  ) async throws -> Set<ErasureNames.Name> {
    let received = SessionTables.value("received") ?? "0"
    return try await pages { after in
      try await reading.rows(
        reading.sessions(
          SeenSessions(
            selected: ["\(received) AS said_received"], range: [day(since), "shard > \(after)"],
            filter: ["said_received >= \(since)"], order: ["shard"], limit: page))
      ) { row in
        let name = try SessionName(&row)
        _ = try row.int(Int64.self)
        return Session(name: ErasureNames.Name(project: name.project, name: name.session), shard: name.shard)
      }
    } keeping: { session in
      marks.isErased(session: session.name.name, of: session.name.owner)
    }
  }

  /// Sessions of somebody who was erased that began before that.
  private static func ofPeople(
    _ marks: ErasedNames, since: Int64, _ reading: ClickHouseReading
  ) async throws -> Set<ErasureNames.Name> {
    let first = SessionTables.value("first") ?? "0"
    var at: [UInt64: Int64] = [:]
    let named = try await pages { after in
      let found = try await reading.rows(
        reading.copies(
          """
          shard, any(project), any(if(empty(session), concat('launch:', launch), session)), groupUniqArray(user), \
          groupUniqArray(visitParamExtractString(json, 'anonymousId'))
          """, of: TelemetryTables.contexts, [day(since), "received >= \(since)", "shard > \(after)"],
          "GROUP BY shard ORDER BY shard LIMIT \(count: page)")
      ) { row in
        let shard = try row.int(UInt64.self)
        return Session(
          name: ErasureNames.Name(project: try row.string(), name: try row.string()), shard: shard,
          users: try row.array { try $0.string() }, devices: try row.array { try $0.string() })
      }
      for session in found {
        let owner = session.name.owner
        let users = session.users.compactMap { $0.isEmpty ? nil : marks.mark(.user, $0, of: owner) }
        let devices = session.devices.compactMap { $0.isEmpty ? nil : marks.mark(.device, $0, of: owner) }
        at[session.shard] = (users + devices).max()
      }
      return found
    } keeping: { session in
      at[session.shard] != nil
    }
    guard !named.isEmpty else { return [] }
    // What began afterwards is kept: they may have come back.
    var late: Set<ErasureNames.Name> = []
    let all = Array(named)
    for start in stride(from: 0, to: all.count, by: ClickHouseSubject.most) {
      let some = all[start..<min(start + ClickHouseSubject.most, all.count)]
      let rows = try await reading.rows(
        reading.sessions(
          SeenSessions(selected: ["\(first) AS said_first"], range: ClickHouseSubject.range(of: Array(some))))
      ) { (name: try SessionName(&$0), first: try $0.int(Int64.self)) }
      for row in rows where row.first <= at[row.name.shard] ?? 0 {
        late.insert(ErasureNames.Name(project: row.name.project, name: row.name.session))
      }
    }
    return late
  }

  private static func pages(
    _ ask: (UInt64) async throws -> [Session], keeping isKept: (Session) -> Bool
  ) async throws -> Set<ErasureNames.Name> {
    var after: UInt64 = 0
    var kept: Set<ErasureNames.Name> = []
    while true {
      let page = try await ask(after)
      kept.formUnion(page.lazy.filter(isKept).map(\.name))
      guard page.count >= Self.page, let last = page.last else { return kept }
      after = last.shard
    }
  }
}
