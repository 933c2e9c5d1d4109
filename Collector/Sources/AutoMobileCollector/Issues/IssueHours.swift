/// How often an issue was reported in the hours and days up to now, the present last.
struct IssueHours {
  static let milliseconds: Int64 = 3_600_000
  /// Hours that are looked at.
  static let span = Int64(IssueQuery.days * 24)

  private(set) var daily = Array(repeating: Int64(0), count: IssueQuery.days)
  private(set) var hourly = Array(repeating: Int64(0), count: IssueQuery.hours)

  /// - Parameters:
  ///   - hours: since 1970. Those that are too long ago, or to come, count nowhere.
  ///   - present: the hour that it is.
  init(_ hours: [(hour: Int64, count: Int64)], now present: Int64) {
    for (hour, count) in hours {
      let age = present - hour
      guard age >= 0, age < Self.span else { continue }
      daily[IssueQuery.days - 1 - Int(age) / 24] += count
      if age < IssueQuery.hours { hourly[IssueQuery.hours - 1 - Int(age)] += count }
    }
  }

  /// Of a time in milliseconds since 1970, downwards.
  static func hour(_ timestamp: Int64) -> Int64 {
    let (hour, rest) = timestamp.quotientAndRemainder(dividingBy: milliseconds)
    return rest < 0 ? hour - 1 : hour
  }
}
