import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3): seconds, or a date.
package enum RetryAfter {
  /// A receiver cannot silence a device for longer than this, in milliseconds: an hour.
  package static let longest: Int64 = 3_600_000

  /// How long to wait, in milliseconds from now and at most ``longest``; nil when the value cannot be read.
  ///
  /// - Parameters:
  ///   - date: the answer's own `Date`. A date is measured against it, because the device's clock may be wrong.
  ///   - now: milliseconds since 1970, used when the answer has no date.
  package static func milliseconds(_ value: String?, date: String?, now: Int64) -> Int64? {
    guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
    if value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // More digits than fit are a very long time.
      guard let seconds = Int64(value), seconds < longest / 1000 else { return longest }
      return seconds &* 1000
    }
    guard let then = HTTPDate.milliseconds(value) else { return nil }
    let (wait, overflow) = then.subtractingReportingOverflow(date.flatMap(HTTPDate.milliseconds) ?? now)
    return overflow ? longest : min(max(0, wait), longest)
  }
}

extension HTTPAnswer {
  /// For how long the receiver wants to be left alone, in milliseconds; nil when it does not say.
  ///
  /// - Parameter now: milliseconds since 1970.
  package func retryAfter(now: Int64) -> Int64? {
    RetryAfter.milliseconds(self[header: "retry-after"], date: self[header: "date"], now: now)
  }
}

/// Dates as HTTP writes them (RFC 9110, 5.6.7).
enum HTTPDate {
  /// Milliseconds since 1970; nil when `text` has none of the three forms.
  static func milliseconds(_ text: String) -> Int64? {
    // They are of ASCII, and short. Foundation's formatter on Linux ends the process at some of what is not.
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
    for format in formats {
      // A formatter for each call: this happens once in a while, and a shared one would be shared state.
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = format
      if let date = formatter.date(from: text) { return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) }
    }
    return nil
  }

  /// The preferred form, and the two obsolete ones that a recipient has to accept.
  private static let formats = [
    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
  ]
}
