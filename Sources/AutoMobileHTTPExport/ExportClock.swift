import Foundation

/// Times as exports write them.
enum ExportClock {
  /// For example `2009-07-24T19:20:30.123Z`. A time beyond the year 9999 is the end of that year.
  static func iso8601(_ milliseconds: Int64) -> String {
    // ISO 8601 ends at the year 9999.
    let bounded = min(max(milliseconds, 0), 253_402_300_799_999)
    let seconds = Date(timeIntervalSince1970: Double(bounded / 1000)).formatted(Date.ISO8601FormatStyle())
    let fraction = String(bounded % 1000)
    return seconds.dropLast() + "." + String(repeating: "0", count: max(0, 3 - fraction.count)) + fraction + "Z"
  }
}
