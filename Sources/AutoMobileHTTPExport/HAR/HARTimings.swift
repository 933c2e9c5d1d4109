import AutoMobileHTTP
import AutoMobileSupport

/// How long the phases of an exchange took, in milliseconds; -1 for a phase that did not happen or was not measured.
///
/// What HAR asks for: `send`, `wait` and `receive` are never negative, `ssl` is part of `connect`, and the others, without
/// those that are -1, add up to the entry's `time`.
struct HARTimings: Encodable, Equatable {
  var blocked: Double = -1
  var dns: Double = -1
  var connect: Double = -1
  var send: Double = 0
  var wait: Double = 0
  var receive: Double = 0
  var ssl: Double = -1

  /// Of a request of which only the whole duration is known.
  init(total: Double?) {
    wait = Self.rounded(Self.plausible(total) ?? 0)
  }

  /// - Parameter total: from the request to its end; what the phases leave of it, the request had to wait to begin.
  init(_ timings: HTTPTimings, total: Double?) {
    func phase(_ start: Double?, _ end: Double?) -> Double? {
      guard let start = Self.plausible(start), let end = Self.plausible(end) else { return nil }
      return Self.rounded(max(0, end - start))
    }
    self.init(total: total)
    guard let first = phase(timings.requestEnd ?? timings.requestStart, timings.responseStart) else { return }
    dns = phase(timings.domainLookupStart, timings.domainLookupEnd) ?? -1
    connect = phase(timings.connectStart, timings.connectEnd) ?? -1
    ssl = connect < 0 ? -1 : phase(timings.secureConnectionStart, timings.secureConnectionEnd) ?? -1
    send = phase(timings.requestStart, timings.requestEnd) ?? 0
    wait = first
    receive = phase(timings.responseStart, timings.responseEnd) ?? 0
    if let total = Self.plausible(total), total > time { blocked = Self.rounded(total - time) }
  }

  /// The sum that the entry's `time` has to be.
  var time: Double { Self.rounded([blocked, dns, connect, send, wait, receive].filter { $0 > 0 }.reduce(0, +)) }

  /// Nil for what is no duration: NaN, before the start, more than thirty years.
  static func plausible(_ milliseconds: Double?) -> Double? {
    guard let milliseconds, milliseconds >= 0, milliseconds < 1e12 else { return nil }
    return milliseconds
  }

  /// To microseconds, so that sums have no tails.
  private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1000).rounded() / 1000 }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension HARTimings {
  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("blocked", blocked)
    members.add("dns", dns)
    members.add("connect", connect)
    members.add("send", send)
    members.add("wait", wait)
    members.add("receive", receive)
    members.add("ssl", ssl)
    try members.end()
  }
}
