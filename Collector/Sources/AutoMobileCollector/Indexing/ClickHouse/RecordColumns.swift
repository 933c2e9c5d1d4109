import AutoMobileClickHouse

/// What the rows of a record begin with, whichever table they are for.
struct RecordColumns {
  var shard: UInt64
  var project: String
  var session: String
  var launch: String
  var position: Int64
  var id: Int64
  var timestamp: Int64
  var received: Int64

  /// The columns behind `shard`.
  func write(_ row: inout RowBinaryWriter) {
    row.string(project)
    row.string(session)
    row.string(launch)
    row.int(position)
    row.int(id)
    row.int(timestamp)
    row.int(received)
    row.day(day)
  }

  var day: Int64 { Self.day(received, id) }

  /// The day of a record: by its number, which grows also when the clock is set back. Who follows what arrives looks at the days of
  /// numbers (``ArrivalRange``), and who asks for the newest at those of an hour later. What was received before there were numbers has
  /// the day of that; and what was moved here from a machine whose clock was ahead, that of its number.
  static func day(_ received: Int64, _ id: Int64) -> Int64 {
    guard FrameNumbers.isTime(id) else { return day(received) }
    let given = FrameNumbers.milliseconds(id)
    return max(day(min(received, given + 3_600_000)), day(given))
  }

  /// Days since 1970, UTC.
  static func day(_ milliseconds: Int64) -> Int64 { milliseconds / 86_400_000 }
}
