import AutoMobileClickHouse

extension ClickHouseReading {
  /// The event of a number, and whose it is; nil when there is none.
  func event(_ id: Int64) async throws -> (event: EventRow, project: String)? {
    let arrived = try await rows(
      copies("project, session, id, timestamp", of: TelemetryTables.arrivals, ["id = \(id)"], "LIMIT 1")
    ) { try EventPlace(&$0) }
    let places = try await verified(arrived)
    guard let place = places.first, let event = try await fetch(places, bytes: 1).rows.first else { return nil }
    return (event, place.project)
  }
}
