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

  func sessions() async throws -> Set<ErasureNames.Name> {
    var at: [UInt64: Int64] = [:]
    let named = try await ClickHouseLate.pages { after in
      let found = try await page(after)
      var unsure: [Session] = []
      for session in found {
        let owner = session.name.owner
        at[session.shard] = session.users.compactMap { $0.isEmpty ? nil : marks.mark(.user, $0, of: owner) }.max()
        // What is written with escapes may be any name.
        if session.devices.contains(where: { $0.contains("\\") || marks.mark(.device, $0, of: owner) != nil }) {
          unsure.append(session)
        }
      }
      for (shard, mark) in try await devices(of: unsure) { at[shard] = max(at[shard] ?? mark, mark) }
      return found
    } keeping: { session in
      at[session.shard] != nil
    }
    return try await begun(named, before: at)
  }

  private var range: [SQL] { [ClickHouseLate.day(since), "received >= \(since)"] }

  private func page(_ after: UInt64) async throws -> [Session] {
    try await reading.rows(
      reading.copies(
        """
        shard, any(project), any(if(empty(session), concat('launch:', launch), session)), groupUniqArray(user), \
        groupUniqArrayArray(extractAll(json, \(text: Self.device)))
        """, of: TelemetryTables.contexts, range + ["shard > \(after)"],
        "GROUP BY shard ORDER BY shard LIMIT \(count: ClickHouseLate.most)")
    ) { row in
      let shard = try row.int(UInt64.self)
      return Session(
        name: ErasureNames.Name(project: try row.string(), name: try row.string()), shard: shard,
        users: try row.array { try $0.string() }, devices: try row.array { try $0.string() })
    }
  }

  /// When the erasure of devices was asked for that contexts of these sessions name, by the shard's number.
  private func devices(of sessions: [Session]) async throws -> [UInt64: Int64] {
    var at: [UInt64: Int64] = [:]
    for start in stride(from: 0, to: sessions.count, by: ClickHouseSubject.most) {
      let some = sessions[start..<min(start + ClickHouseSubject.most, sessions.count)]
      let shards = SQL.joined(some.map { "\($0.shard)" }, ", ")
      let rows = try await reading.rows(
        reading.copies("DISTINCT shard, project, json", of: TelemetryTables.contexts, range + ["shard IN (\(shards))"])
      ) { row in
        (shard: try row.int(UInt64.self), project: try row.string(), json: Data(buffer: try row.bytes()))
      }
      for row in rows {
        guard let device = row.json.withUnsafeBytes({ try? ContextRecord(json: $0) })?.anonymousId,
          let mark = marks.mark(.device, device, of: DataOwner(name: row.project))
        else { continue }
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
