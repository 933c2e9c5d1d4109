import Foundation
import GRDB

/// The positions of deleted events: exact, in about a byte each.
///
/// Positions of one launch that follow each other lie close together, so the differences are kept, as LEB128.
enum ExpiredPositions {
  /// - Parameter positions: ascending, not negative. The first is left out: it is the row's name.
  static func encode(_ positions: [Int64]) -> Data {
    var data = Data()
    for (previous, next) in zip(positions, positions.dropFirst()) {
      var rest = UInt64(next - previous)
      while rest >= 0x80 {
        data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      data.append(UInt8(rest))
    }
    return data
  }

  static func contains(_ position: Int64, first: Int64, in data: Data) -> Bool {
    var current = UInt64(bitPattern: first)
    if first == position { return true }
    let wanted = UInt64(bitPattern: position)
    var difference: UInt64 = 0
    var shift: UInt64 = 0
    for byte in data {
      difference |= UInt64(byte & 0x7F) << min(shift, 63)
      shift += 7
      if byte & 0x80 != 0 { continue }
      current = current &+ difference
      if current >= wanted { return current == wanted }
      (difference, shift) = (0, 0)
    }
    return false
  }

  // MARK: Rows

  /// Whether an event was here, and was deleted.
  static func hold(_ sequence: Int64, of launch: Int64, in database: Database) throws -> Bool {
    if sequence >= SyntheticNames.firstPosition {
      return try Bool.fetchOne(
        database.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM expired_name WHERE launch = ? AND sequence = ?)"),
        arguments: [launch, sequence]) ?? false
    }
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT first, positions FROM expired WHERE launch = ? AND first <= ? AND last >= ?"),
      arguments: [launch, sequence, sequence])
    while let row = try rows.next() {
      if contains(sequence, first: row[0], in: row[1]) { return true }
    }
    return false
  }

  /// The highest deleted position of a launch; nil when nothing of it was deleted.
  static func last(of launch: Int64, in database: Database) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT MAX(last) FROM (SELECT MAX(last) AS last FROM expired WHERE launch = ?1
            UNION ALL SELECT MAX(sequence) FROM expired_name WHERE launch = ?1)
          """), arguments: [launch])
  }

  static func insert(_ positions: [Int64], of launch: Int64, at time: Int64, in database: Database) throws {
    let sorted = positions.sorted()
    let real = Array(sorted.prefix { $0 < SyntheticNames.firstPosition })
    if let first = real.first, let last = real.last {
      try database.cachedStatement(sql: "INSERT OR REPLACE INTO expired VALUES (?, ?, ?, ?, ?)")
        .execute(arguments: [launch, first, last, time, encode(real)])
    }
    for position in sorted.dropFirst(real.count) {
      try database.cachedStatement(sql: "INSERT OR IGNORE INTO expired_name VALUES (?, ?, ?)")
        .execute(arguments: [launch, position, time])
    }
  }
}
