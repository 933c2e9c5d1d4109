import AutoMobileClickHouse
import Foundation

/// What arrives in ClickHouse, in the order in which collectors said that it is there (``ArrivalOrder``): a place in it is where a listener
/// goes on, with whichever collector.
struct ClickHouseArrivals: ArrivalReading {
  let telemetry: ClickHouseTelemetry
  let order: ArrivalOrder

  /// Arrivals that are looked at in one go.
  private static let window = 2000

  func newestId(_ scope: ReadScope) async throws -> Int64 { try await order.end() }

  func following(
    _ scope: ReadScope, _ id: Int64, limit: Int, filter: EventFilter
  ) async throws -> (events: [EventRow], upTo: Int64, isBehind: Bool) {
    let slice = try await order.slice(after: id)
    guard !slice.ranges.isEmpty else { return ([], slice.end, !slice.isLast) }
    return try await telemetry.read(scope, .tail) { reading -> (events: [EventRow], upTo: Int64, isBehind: Bool) in
      let question = try EventQuestion(filter, in: .arriving, reading)
      var range: [SQL] = []
      if !filter.types.isEmpty {
        range.append("type IN (\(SQL.joined(filter.types.map { "\(text: $0)" }, ", ")))")
      }
      if let session = filter.session {
        guard let name = try await reading.session(named: session) else { return ([], slice.end, !slice.isLast) }
        range += name.range
      }
      let arrived = try await reading.arrived(slice, order, most: Self.window, range)
      let meant = try await reading.matching(arrived.events.map(\.event), question, limit: limit)
      let page = try await reading.fetch(Array(meant.prefix(limit)), bytes: reading.limits.tailBytes)
      let places = Dictionary(arrived.events.map { ($0.event.id, $0.place) }, uniquingKeysWith: min)
      let events = page.rows.map { row in
        var row = row
        row.place = places[row.id]
        return row
      }
      let isCut = page.isFull || meant.count >= limit
      let upTo = isCut ? events.last?.place ?? arrived.end : arrived.end
      return (events, upTo, isCut || !arrived.isLast)
    }
  }
}
