import Foundation

/// Numbers, times and sizes as people read them.
enum Format {
  static func count(_ n: Int) -> String {
    let digits = String(n.magnitude)
    guard digits.count > 3 else { return String(n) }
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { grouped.append("\u{202F}") }
      grouped.append(digit)
    }
    return (n < 0 ? "-" : "") + grouped
  }

  /// "99.2 %": as many digits as it takes to see that it is not all, or not nothing.
  static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "–" }
    let value = Double(part) / Double(whole) * 100
    if part == 0 || part == whole { return part == 0 ? "0 %" : "100 %" }
    if value > 99.99 { return "> 99.99 %" }
    if value < 0.01 { return "< 0.01 %" }
    let digits = value > 99.9 || value < 0.1 ? 2 : value > 10 && value < 90 ? 0 : 1
    return String(format: "%.\(digits)f %%", value)
  }

  /// So many make a rate; fewer are told as what they are.
  static let sample = 20

  /// A share, or "3 of 7" when the sample is too small for one. Its size has to stand beside it.
  static func rate(_ part: Int, of whole: Int) -> String {
    whole > 0 && whole < sample ? "\(count(part)) of \(count(whole))" : share(part, of: whole)
  }

  /// The same with the size of its sample: "1.5 % of 200".
  static func rateOfSample(_ part: Int, of whole: Int) -> String {
    whole < sample ? rate(part, of: whole) : "\(rate(part, of: whole)) of \(count(whole))"
  }

  static func plural(_ n: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(n)) \(n == 1 ? one : many ?? one + "s")"
  }

  /// At most two units: "340 ms", "2.5 s", "3 min 20 s".
  static func duration(milliseconds ms: Double) -> String {
    guard ms.isFinite, ms >= 0, ms < 1e15 else { return "–" }
    if ms < 1000 { return "\(Int(ms.rounded())) ms" }
    if ms < 9950 { return String(format: "%.1f s", ms / 1000) }
    let seconds = Int((ms / 1000).rounded())
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return pair(seconds / 60, "min", seconds % 60, "s") }
    let minutes = seconds / 60
    if minutes < 1440 { return pair(minutes / 60, "h", minutes % 60, "min") }
    return pair(minutes / 1440, "d", minutes % 1440 / 60, "h")
  }

  private static func pair(_ a: Int, _ unitA: String, _ b: Int, _ unitB: String) -> String {
    b == 0 ? "\(a) \(unitA)" : "\(a) \(unitA) \(b) \(unitB)"
  }

  /// The place in a session: "0:07.412", "1:02:03.004".
  static func offset(milliseconds ms: Int64) -> String {
    let total = ms.magnitude
    let (seconds, rest) = (total / 1000, total % 1000)
    let sign = ms < 0 ? "-" : ""
    let tail = String(format: "%02d.%03d", Int(seconds % 60), Int(rest))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(sign)\(hours):\(String(format: "%02d", Int(minutes))):\(tail)" : "\(sign)\(minutes):\(tail)"
  }

  static func bytes(_ n: Int) -> String {
    switch n {
    case ..<1000: "\(n) B"
    case ..<1_000_000: String(format: "%.1f kB", Double(n) / 1000)
    case ..<1_000_000_000: String(format: "%.1f MB", Double(n) / 1e6)
    case ..<1_000_000_000_000: String(format: "%.1f GB", Double(n) / 1e9)
    default: String(format: "%.1f TB", Double(n) / 1e12)
    }
  }

  /// "2026-11-21 10:28:18.685", local time.
  static func time(_ ms: Int64, date: Bool = true, fraction: Bool = true) -> String {
    // Beyond these years the calendar's arithmetic is of no use to anybody; broken clocks do send such times.
    guard ms.magnitude < 100_000_000_000_000 else { return "–" }
    var seconds = time_t(ms >= 0 ? ms / 1000 : (ms - 999) / 1000)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "–" }
    var text = String(format: "%02d:%02d:%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    if fraction { text += String(format: ".%03d", Int(ms - Int64(seconds) * 1000)) }
    guard date else { return text }
    return String(format: "%04d-%02d-%02d ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday) + text
  }

  static func ago(_ ms: Int64, now: Int64) -> String {
    let age = now.subtractingReportingOverflow(ms)
    guard !age.overflow, age.partialValue >= 0 else { return time(ms, fraction: false) }
    if age.partialValue < 5000 { return "now" }
    // One unit says enough: "3 h ago".
    if age.partialValue < 30 * 86_400_000 {
      return duration(milliseconds: Double(age.partialValue / 1000 * 1000)).split(separator: " ").prefix(2)
        .joined(separator: " ") + " ago"
    }
    return String(time(ms, fraction: false).prefix(10))
  }
}
