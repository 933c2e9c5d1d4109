import AutoMobileClickHouse
import AutoMobileJournal
import GRDB

/// Records that could not be read.
extension TelemetryMove {
  /// - Parameter numbers: behind those of events. A row is its launch's and its position's: with another number it is the same.
  func moveQuarantine(_ numbers: MoveNumbers, _ inserter: ClickHouseInserter) async throws {
    var (numbers, last) = (numbers, Int64(0))
    while true {
      var rows = try await rows([])
      guard let next = try addQuarantine(after: last, to: &rows, &numbers) else { return }
      try await insert(&rows, inserter)
      last = next
    }
  }

  private func addQuarantine(
    after row: Int64, to rows: inout TelemetryRows, _ numbers: inout MoveNumbers
  ) throws -> Int64? {
    var erased = rows.erased.map(MoveErased.init)
    return try moved.store.pool.read { database in
      var last: Int64?
      try RawRows.each(
        database,
        sql: """
          SELECT quarantine.id, owner.name, launch.given, launch.bundleId, sequence, kind, quarantine.received, reason,
            payload, length, launch.id
          FROM quarantine JOIN launch ON launch.id = quarantine.launch JOIN owner ON owner.id = launch.owner
          WHERE quarantine.id > ? AND \(MoveReader.isMoved) ORDER BY quarantine.id LIMIT 500
          """, arguments: [row]
      ) { row in
        last = row.integer(0)
        let id = try numbers.next(row.integer(6))
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
}
