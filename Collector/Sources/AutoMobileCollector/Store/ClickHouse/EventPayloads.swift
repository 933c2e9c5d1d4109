import AutoMobileClickHouse
import Foundation
import NIOCore

extension EventPlace {
  /// Their rows and no others, their copies among them.
  static func exactly(_ places: some Collection<EventPlace>) -> [SQL] {
    range(Array(places)) + ["id IN (SELECT arrayJoin(\(SQLValue.ints(places.map(\.id)))))"]
  }
}

extension ClickHouseReading {
  /// The JSON of the first of these events, as many as are not too large together: one at least, where there is any.
  ///
  /// - Returns: by the events' numbers; and how many of the places that are.
  func payloads(_ places: [EventPlace], bytes: Int) async throws -> (json: [Int64: Data], places: Int) {
    guard !places.isEmpty else { return ([:], 0) }
    let lengths = try await rows(
      copies("id, toInt64(length(payload))", of: TelemetryTables.events, EventPlace.exactly(places))
    ) { (try $0.int(Int64.self), try $0.int(Int64.self)) }
    let length = Dictionary(lengths, uniquingKeysWith: { first, _ in first })
    var left = Int64(bytes)
    let fitting = places.prefix { place in
      guard left > 0 else { return false }
      left -= length[place.id] ?? 0
      return true
    }
    let found = try await rows(
      copies("id, payload", of: TelemetryTables.events, EventPlace.exactly(fitting))
    ) { (try $0.int(Int64.self), Data(buffer: try $0.bytes())) }
    return (Dictionary(found, uniquingKeysWith: { first, _ in first }), fitting.count)
  }
}

extension Page where Element: Weighed {
  /// The first of rows of which so many were asked for: as many as are not too large together.
  init(_ rows: [Element], limit: Int, bytes: Int) {
    var left = bytes
    for row in rows.prefix(limit) {
      self.rows.append(row)
      left -= row.weight
      if left <= 0 { break }
    }
    isFull = self.rows.count >= limit || self.rows.count < rows.count
  }
}
