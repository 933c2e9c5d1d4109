import AutoMobileJournal
import Foundation

/// How MetricKit writes times, durations and sizes.
enum MetricKitUnits {
  /// `2025-06-10 13:00:00`, `… +0000`, or ISO 8601; UTC when it does not say.
  static func milliseconds(date: String?) -> Int64? {
    guard let date else { return nil }
    let formats = ["yyyy-MM-dd HH:mm:ss Z", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ssZ", "yyyy-MM-dd HH:mm:ss.SSS"]
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for format in formats {
      formatter.dateFormat = format
      if let parsed = formatter.date(from: date) { return Int64(saturating: parsed.timeIntervalSince1970 * 1000) }
    }
    return nil
  }

  /// `20 sec`, `1,500 ms`, `2 min`.
  static func milliseconds(duration: String?) -> Double? {
    guard let (number, unit) = parts(duration) else { return nil }
    switch unit {
    case "ms", "msec": return number
    case "s", "sec", "secs", "second", "seconds": return number * 1000
    case "m", "min", "mins", "minute", "minutes": return number * 60_000
    case "h", "hr", "hour", "hours": return number * 3_600_000
    case "µs", "us", "usec": return number / 1000
    default: return nil
    }
  }

  /// `2000 byte`, `1,073.7 MB`: units of a thousand, as `MeasurementFormatter` has them.
  static func bytes(_ text: String?) -> Double? {
    guard let (number, unit) = parts(text) else { return nil }
    switch unit.lowercased() {
    case "byte", "bytes", "b": return number
    case "kb", "kilobytes": return number * 1e3
    case "mb", "megabytes": return number * 1e6
    case "gb", "gigabytes": return number * 1e9
    default: return nil
    }
  }

  /// `iPhone OS 17.1 (21B74)` is iOS.
  static func systemName(_ osVersion: String) -> String {
    let name = osVersion.prefix { !$0.isNumber }.trimmingCharacters(in: .whitespaces)
    return name == "iPhone OS" ? "iOS" : name
  }

  private static func parts(_ text: String?) -> (Double, unit: String)? {
    guard let text, text.utf8.count <= 64 else { return nil }
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let number = Double(words[0].replacingOccurrences(of: ",", with: "")), number.isFinite,
      number >= 0
    else { return nil }
    return (number, words[1].trimmingCharacters(in: .whitespaces))
  }
}

/// Darwin's numbers, on whichever system they are read.
enum DarwinNames {
  static func signal(_ number: Int) -> String {
    switch number {
    case 3: "SIGQUIT"
    case 4: "SIGILL"
    case 5: "SIGTRAP"
    case 6: "SIGABRT"
    case 8: "SIGFPE"
    case 9: "SIGKILL"
    case 10: "SIGBUS"
    case 11: "SIGSEGV"
    case 12: "SIGSYS"
    case 13: "SIGPIPE"
    case 15: "SIGTERM"
    default: "signal \(number)"
    }
  }

  static func exception(_ number: Int) -> String {
    switch number {
    case 1: "EXC_BAD_ACCESS"
    case 2: "EXC_BAD_INSTRUCTION"
    case 3: "EXC_ARITHMETIC"
    case 5: "EXC_SOFTWARE"
    case 6: "EXC_BREAKPOINT"
    case 10: "EXC_CRASH"
    case 11: "EXC_RESOURCE"
    case 12: "EXC_GUARD"
    default: "exception \(number)"
    }
  }
}
