import AutoMobileClickHouse
import Foundation
import NIOCore

extension ClickHouseReading {
  /// Of these events and no others, the copies of each among them.
  func copies(_ selected: SQL, exactly places: some Collection<EventPlace>, _ further: [SQL] = []) -> SeenSQL {
    copies(
      selected, of: TelemetryTables.events, EventPlace.range(Array(places)) + further,
      first: [EventPlace.numbers(places)])
  }

  /// The JSON of the first of these events, as many as are not too large together: one at least, where there is any.
  ///
  /// They come with their lengths in one answer, but for those that alone have more than their share: mostly none.
  ///
  /// - Parameter besides: what an event has besides its JSON, in bytes.
  /// - Returns: by the events' numbers; and how many of the places that are.
  func payloads(
    _ places: [EventPlace], bytes: Int, besides: Int = 0
  ) async throws -> (json: [Int64: Data], places: Int) {
    guard !places.isEmpty else { return ([:], 0) }
    let share = Int64(bytes / places.count)
    let all = try await rows(
      copies("id, toInt64(length(payload)), if(length(payload) > \(share), '', payload)", exactly: places)
    ) { (id: try $0.int(Int64.self), length: try $0.int(Int64.self), json: Data(buffer: try $0.bytes())) }
    let length = Dictionary(all.map { ($0.id, $0.length) }, uniquingKeysWith: { first, _ in first })
    var left = Int64(bytes)
    let fitting = places.prefix { place in
      guard left > 0 else { return false }
      left -= length[place.id].map { $0 + Int64(besides) } ?? 0
      return true
    }
    var found = Dictionary(
      all.filter { $0.length <= share }.map { ($0.id, $0.json) }, uniquingKeysWith: { first, _ in first })
    let large = fitting.filter { (length[$0.id] ?? 0) > share }
    if !large.isEmpty {
      let rest = try await rows(copies("id, payload", exactly: large)) {
        (try $0.int(Int64.self), Data(buffer: try $0.bytes()))
      }
      for (id, json) in rest { found[id] = json }
    }
    return (found, fitting.count)
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
