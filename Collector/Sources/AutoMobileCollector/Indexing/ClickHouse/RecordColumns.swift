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
    row.day(Self.day(received))
  }

  /// Days since 1970, UTC.
  static func day(_ milliseconds: Int64) -> Int64 { milliseconds / 86_400_000 }
}
