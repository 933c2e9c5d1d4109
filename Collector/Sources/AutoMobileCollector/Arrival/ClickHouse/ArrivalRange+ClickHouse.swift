import AutoMobileClickHouse

extension ArrivalRange {
  /// That a row's number is in it.
  private var condition: SQL { "id > \(first) AND id <= \(last) AND id % \(FrameNumbers.step) = \(writer)" }

  /// That a row is in one of them, with its days (``RecordColumns/day(_:_:)``): each is a partition. A record may have been received up to an
  /// hour after its number says.
  static func conditions(_ ranges: [ArrivalRange]) -> [SQL] {
    guard let first = ranges.map(\.first).min(), let last = ranges.map(\.last).max() else { return ["0"] }
    let own = SQL.joined(ranges.map { "(\($0.condition))" }, " OR ")
    let days: [SQL] = !FrameNumbers.isTime(first) ? [] : ["day >= toDate(\(day(first, -slack)))"]
    return days + ["day <= toDate(\(day(last, slack)))", own]
  }

  /// From when on a row of them can have been received, in milliseconds; nil: at any time.
  static func received(_ ranges: [ArrivalRange]) -> Int64? {
    guard let first = ranges.map(\.first).min(), FrameNumbers.isTime(first) else { return nil }
    return FrameNumbers.milliseconds(first) - slack
  }

  private static let slack: Int64 = 3_600_000

  /// Of a row for which ``conditions(_:)`` hold: its place.
  static func place(_ ranges: [ArrivalRange]) -> SQL {
    let parts = ranges.map { range in
      "\(range.condition), \(range.place) + intDiv(id - \(range.first), \(FrameNumbers.step))" as SQL
    }
    return "multiIf(\(SQL.joined(parts, ", ")), \(0 as Int64))"
  }

  private static func day(_ number: Int64, _ slack: Int64) -> Int64 {
    // As far as dates go.
    min(max(0, (FrameNumbers.milliseconds(number) + slack) / 86_400_000), 49_000)
  }
}

extension FrameNumbers {
  /// When a number was given, about; in milliseconds since 1970.
  static func milliseconds(_ number: Int64) -> Int64 { epoch + max(0, number) / writers * tick / 1000 }

  /// Whether it says when it was given. What was received before there were numbers has the lowest.
  static func isTime(_ number: Int64) -> Bool { number >= span(of: 86_400_000) }
}
