import AutoMobileClickHouse
import Foundation

/// Finds sessions of somebody who was erased, that began before that and came afterwards: by what contexts say of people and devices.
struct LatePeople: Sendable {
  typealias Session = ClickHouseLate.Session

  let marks: ErasedNames
  /// When contexts were received, in milliseconds since 1970.
  let since: Int64
  let reading: ClickHouseReading

  /// Where a context names a device, and whatever else is called so. What it names is read by whoever can read JSON: a tag of the same
  /// name is no device.
  private static let device = #""anonymousId"[ \t\r\n]*:[ \t\r\n]*"([^"]*)"#

  /// Of the people that the contexts of one session name, so many are told at once, and so many bytes of each name.
  private static let (most, longest) = (1000, 1024)

  func sessions() async throws -> Set<ErasureNames.Name> {
    var at: [UInt64: Int64] = [:]
    let named = try await ClickHouseLate.pages { after, count in
      let found = try await page(after, count)
      var unsure: [Session] = []
      for session in found {
        let owner = session.name.owner
        at[session.shard] = session.users.compactMap { $0.isEmpty ? nil : marks.mark(.user, $0, of: owner) }.max()
        if isUnsure(session) { unsure.append(session) }
      }
      for (shard, mark) in try await people(of: unsure) { at[shard] = max(at[shard] ?? mark, mark) }
      return found
    } keeping: { session in
      at[session.shard] != nil
    }
    return try await begun(named, before: at)
  }

  private var range: [SQL] { [ClickHouseLate.day(since), "received >= \(since)"] }

  /// What is written with escapes may be any name, and so may what was cut off.
  private func isUnsure(_ session: Session) -> Bool {
    let isCut = [session.users, session.devices].contains { names in
      names.count >= Self.most || names.contains { $0.utf8.count >= Self.longest }
    }
    if isCut { return true }
    let owner = session.name.owner
    return session.devices.contains { $0.contains("\\") || marks.mark(.device, $0, of: owner) != nil }
  }

  private func page(_ after: UInt64, _ count: Int) async throws -> [Session] {
    try await reading.rows(
      reading.copies(
        """
        shard, any(project), any(if(empty(session), concat('launch:', launch), session)), \
        arraySlice(groupUniqArray(substring(user, 1, \(count: Self.longest))), 1, \(count: Self.most)), \
        arraySlice(groupUniqArrayArray(arrayMap(device -> substring(device, 1, \(count: Self.longest)), \
        extractAll(json, \(text: Self.device)))), 1, \(count: Self.most))
        """, of: TelemetryTables.contexts, range + ["shard > \(after)"],
        "GROUP BY shard ORDER BY shard LIMIT \(count: count)")
    ) { row in
      let shard = try row.int(UInt64.self)
      return Session(
        name: ErasureNames.Name(project: try row.string(), name: try row.string()), shard: shard,
        users: try row.array { try $0.string() }, devices: try row.array { try $0.string() })
    }
  }

  /// When the erasure of people was asked for that contexts of these sessions name, by the shard's number.
  private func people(of sessions: [Session]) async throws -> [UInt64: Int64] {
    var at: [UInt64: Int64] = [:]
    for some in sessions.chunks(of: ClickHouseSubject.most) {
      let shards = SQL.joined(some.map { "\($0.shard)" }, ", ")
      try await ContextPages(reading: reading).each(range + ["shard IN (\(shards))"]) { row in
        let owner = DataOwner(name: row.project)
        var found: [Int64] = []
        if !row.user.isEmpty, let mark = marks.mark(.user, row.user, of: owner) { found.append(mark) }
        if let device = row.record?.anonymousId, let mark = marks.mark(.device, device, of: owner) {
          found.append(mark)
        }
        guard let mark = found.max() else { return }
        at[row.shard] = max(at[row.shard] ?? mark, mark)
      }
    }
    return at
  }

  /// Those that began before. What began afterwards is kept: they may have come back.
  private func begun(
    _ named: Set<ErasureNames.Name>, before at: [UInt64: Int64]
  ) async throws -> Set<ErasureNames.Name> {
    let first = SessionTables.value("first") ?? "0"
    var late: Set<ErasureNames.Name> = []
    let all = Array(named)
    for start in stride(from: 0, to: all.count, by: ClickHouseSubject.most) {
      let some = Array(all[start..<min(start + ClickHouseSubject.most, all.count)])
      let rows = try await reading.rows(
        reading.sessions(
          SeenSessions(selected: ["\(first) AS said_first"], range: ClickHouseSubject.range(of: some)))
      ) { (name: try SessionName(&$0), first: try $0.int(Int64.self)) }
      for row in rows where row.first <= at[row.name.shard] ?? 0 {
        late.insert(ErasureNames.Name(project: row.name.project, name: row.name.session))
      }
    }
    return late
  }
}
