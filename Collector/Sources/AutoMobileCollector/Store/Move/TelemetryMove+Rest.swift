import AutoMobileClickHouse
import AutoMobileJournal
import Foundation
import GRDB

/// What no event leads to: records that could not be read, and contexts that nothing has named yet.
extension TelemetryMove {
  private static var page: Int { 500 }

  func isErased(_ event: MoveReader.Event, _ erased: inout MoveErased?) throws -> Bool {
    guard erased != nil else { return false }
    return try store.pool.read { try erased?.isErased(event, $0) ?? false }
  }

  /// - Parameter numbers: behind those of events. A row is its launch's and its position's: with another number it is the same.
  func moveRest(_ projects: Set<String>, _ inserter: ClickHouseInserter, _ numbers: MoveNumbers) async throws {
    var numbers = numbers
    var last: Int64 = 0
    while true {
      var rows = try rows(projects)
      guard let next = try addQuarantine(after: last, to: &rows, &numbers) else { break }
      try await insert(&rows, inserter)
      last = next
    }
    last = 0
    while true {
      var rows = try rows(projects)
      guard let next = try addContexts(after: last, to: &rows, &numbers) else { break }
      try await insert(&rows, inserter)
      last = next
    }
  }

  private func addQuarantine(
    after row: Int64, to rows: inout TelemetryRows, _ numbers: inout MoveNumbers
  ) throws -> Int64? {
    var erased = rows.erased.map(MoveErased.init)
    return try store.pool.read { database in
      var last: Int64?
      try RawRows.each(
        database,
        sql: """
          SELECT quarantine.id, owner.name, launch.given, launch.bundleId, sequence, kind, quarantine.received, reason,
            payload, length, launch.id
          FROM quarantine JOIN launch ON launch.id = quarantine.launch JOIN owner ON owner.id = launch.owner
          WHERE quarantine.id > ? ORDER BY quarantine.id LIMIT \(Self.page)
          """, arguments: [row]
      ) { row in
        last = row.integer(0)
        let id = numbers.next(row.integer(6))
        guard let launch = LaunchID(row.text(2)) else { return }
        if try erased?.isErased(launch: row.integer(10), of: row.text(1), database) == true { return }
        rows.addQuarantined(
          TelemetryRows.Stored(
            owner: DataOwner(name: row.text(1)), launch: launch, isBreadcrumb: false, position: row.integer(4),
            received: row.integer(6), payload: row.bytes(8) ?? UnsafeRawBufferPointer(start: nil, count: 0)),
          kind: UInt8(truncatingIfNeeded: row.integer(5)), reason: row.text(7), length: row.integer(9), id: id)
      }
      return last
    }
  }

  /// Those of launches that go on: what comes next of them names these.
  private func addContexts(
    after launch: Int64, to rows: inout TelemetryRows, _ numbers: inout MoveNumbers
  ) throws -> Int64? {
    try store.pool.read { database in
      let launches = try Row.fetchAll(
        database,
        sql: """
          SELECT launch.id, owner.name, given, bundleId, sdkVersion, context, COALESCE(heard, last, 0),
            (SELECT MAX(sequence) FROM event WHERE event.launch = launch.id)
          FROM launch JOIN owner ON owner.id = launch.owner WHERE launch.id > ? ORDER BY launch.id LIMIT \(Self.page)
          """, arguments: [launch])
      for row in launches {
        let (id, current): (Int64, Int64?) = (row[0], row[5])
        guard let name = LaunchID(row[2] as String) else { continue }
        let unnamed = try Row.fetchAll(
          database.cachedStatement(
            sql: """
              SELECT id, contextId, json FROM context WHERE launch = ?1 AND contextId >= 0 AND erased <= 0 AND id NOT IN (
                SELECT context FROM event WHERE launch = ?1 AND context IS NOT NULL)
              """), arguments: [id])
        for context in unnamed {
          let (contextRow, number, json): (Int64, Int64, Data) = (context[0], context[1], context[2])
          let isCurrent = contextRow == current
          let stored = TelemetryRows.Stored(
            owner: DataOwner(name: row[1]), launch: name, bundle: row[3], sdk: row[4], isBreadcrumb: false,
            // Behind all that came; one that is not the launch's current one is only found by its number.
            position: isCurrent ? row[7] ?? 0 : -1, received: row[6],
            payload: UnsafeRawBufferPointer(start: nil, count: 0))
          // One that cannot be read any more says nothing of anybody.
          try? rows.addUnnamed(number, Array(json), of: stored, id: numbers.next(row[6]))
        }
      }
      return launches.last.map { $0[0] }
    }
  }
}
