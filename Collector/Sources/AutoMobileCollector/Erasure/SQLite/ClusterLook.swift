import Foundation
import GRDB

/// How far whoever looks for what other collectors have done has come: in the collector's own file, so that a start goes on where the
/// last one was.
struct ClusterLook: Codable, Sendable, Equatable {
  enum Name: String {
    /// For what comes after it was erased.
    case late
    /// For replays that others have erased.
    case removals
  }

  /// When it looked, by this collector's clock; milliseconds since 1970.
  var at: Int64
  /// The last numbers that collectors had said to be there (``ArrivalRange``), by the writer.
  var numbers: [Int64: Int64] = [:]
  /// The last look at reports whose rows were there (``LookMark/confirmed``).
  var looks: Int64 = 0

  static let table = "CREATE TABLE cluster_look(name TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;"

  static func of(_ name: Name, in database: Database) throws -> ClusterLook? {
    let text = try String.fetchOne(
      database, sql: "SELECT json FROM cluster_look WHERE name = ?", arguments: [name.rawValue])
    return try text.map { try JSONDecoder().decode(ClusterLook.self, from: Data($0.utf8)) }
  }

  func write(_ name: Name, in database: Database) throws {
    let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    try database.execute(sql: "INSERT OR REPLACE INTO cluster_look VALUES (?, ?)", arguments: [name.rawValue, text])
  }

  /// From when on something can have been received that has come between this look and a later one, in milliseconds; nil: nothing has
  /// come. What waited in a collector's log is as old as its numbers say, whenever it comes.
  func earliest(until later: ClusterLook) -> Int64? {
    let ranges = later.numbers.compactMap { writer, last -> ArrivalRange? in
      let first = numbers[writer] ?? ArrivalRange.start(of: writer)
      return last > first ? ArrivalRange(place: 0, writer: writer, first: first, last: last) : nil
    }
    guard !ranges.isEmpty else { return nil }
    return ArrivalRange.received(ranges) ?? 0
  }
}
