import Foundation

/// Times as people and models read them, and how they are given here: UTC, to the millisecond.
enum MomentText {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let whole = Date.ISO8601FormatStyle()

  /// `2026-11-24T13:55:19.250Z`
  static func text(_ milliseconds: Int64) -> String {
    guard (0...ReplayTimes.most).contains(milliseconds) else { return String(milliseconds) }
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(style)
  }

  /// Milliseconds since 1970 of such a text, or of a number of them; nil for anything else.
  static func milliseconds(_ text: String) -> Int64? {
    if let number = Int64(text) { return (0...ReplayTimes.most).contains(number) ? number : nil }
    guard text.utf8.count <= 40, let date = (try? style.parse(text)) ?? (try? whole.parse(text)) else { return nil }
    let value = date.timeIntervalSince1970 * 1000
    return value >= 0 && value <= Double(ReplayTimes.most) ? Int64(value.rounded()) : nil
  }

  /// `250 ms`, `12.3 s`, `4 min 10 s`
  static func duration(_ milliseconds: Double) -> String {
    guard milliseconds.isFinite, milliseconds.magnitude < 1e15 else { return "?" }
    switch milliseconds.magnitude {
    case ..<1000: return "\(Int(milliseconds.rounded())) ms"
    case ..<60_000: return "\((milliseconds / 100).rounded() / 10) s"
    case ..<3_600_000: return "\(Int(milliseconds) / 60_000) min \(Int(milliseconds) / 1000 % 60) s"
    default: return "\(Int(milliseconds) / 3_600_000) h \(Int(milliseconds) / 60_000 % 60) min"
    }
  }
}
