import AutoMobileClickHouse
import Foundation
import NIOCore

/// Looks for a text in the values of requests' events, as ``EventValues`` does: ClickHouse finds the events whose JSON has the longest
/// piece of it that JSON writes as it stands, and they are read here.
///
/// Of each text the newest ``most`` such events are looked at; of what is older, nobody knows.
struct ClickHouseHeldTexts {
  static let most = 4000

  let reading: ClickHouseReading
  /// Of the events in question: their session, their time.
  let range: [SQL]
  /// Any part of a word is found; else a word of each has to be among the event's.
  let isOfSession: Bool

  /// The numbers of the events, by text.
  func find(_ texts: [String]) async throws -> [String: [Int64]] {
    var held: [String: [Int64]] = [:]
    for text in texts where held[text] == nil { held[text] = try await find(text) }
    return held
  }

  private func find(_ text: String) async throws -> [Int64] {
    var conditions: [SQL] = ["type = 'network_request'"] + range
    if !isOfSession, let words = SearchPattern(text).flatMap({ ClickHouseTerms.words($0, reading.dialect) }) {
      conditions.append(words)
    }
    if let piece = EventValues.plainPiece(of: text) { conditions.append(ClickHouseTerms.part("payload", piece)) }
    let candidates = try await reading.rows(
      reading.copies(
        "project, session, id, timestamp, toInt64(length(payload))", of: TelemetryTables.events, conditions,
        "ORDER BY id DESC LIMIT \(count: Self.most)")
    ) { (place: try EventPlace(&$0), size: try $0.int(Int64.self)) }
    var found: [Int64] = []
    for piece in Self.pieces(candidates) {
      let statement = reading.copies("id, payload", exactly: piece)
      found += try await reading.rows(statement) { row in
        let id: Int64 = try row.int()
        let payload = try row.bytes()
        return payload.withUnsafeReadableBytes { EventValues.holds(text, in: $0) } ? id : nil
      }.compactMap(\.self)
    }
    return found
  }

  /// Of one answer, in bytes.
  private static let room: Int64 = 8 << 20

  private static func pieces(_ places: [(place: EventPlace, size: Int64)]) -> [[EventPlace]] {
    var pieces: [[EventPlace]] = []
    var size: Int64 = 0
    for (place, length) in places {
      if size == 0 || size + length > room {
        pieces.append([])
        size = 0
      }
      pieces[pieces.count - 1].append(place)
      size += max(1, length)
    }
    return pieces
  }
}
