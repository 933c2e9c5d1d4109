/// What may still be sent in the hour: any 60 minutes, in steps of one.
///
/// It keeps a sum for each minute, so that its size does not depend on how much is sent, and lets go of a minute only when all of
/// it is an hour ago: the limits are kept exactly, at the price of up to a minute more to wait.
struct HourlyBudget {
  private struct Minute {
    var number: Int64
    var requests: Int
    var bytes: Int
  }

  let maximumRequests: Int
  let maximumBytes: Int
  /// Oldest first, none of them empty.
  private var minutes: [Minute] = []

  private static let minute: Int64 = 60_000

  init(maximumRequests: Int, maximumBytes: Int) {
    self.maximumRequests = max(1, maximumRequests)
    self.maximumBytes = max(1, maximumBytes)
  }

  /// How long a request has to wait, in milliseconds; nil when it may go.
  ///
  /// - Parameter now: milliseconds on a clock that never goes back.
  mutating func wait(for bytes: Int, now: Int64) -> Int64? {
    forget(before: now)
    var (requests, sent) = total
    for minute in minutes {
      if fits(bytes, requests, sent) { return nil }
      requests -= minute.requests
      sent -= minute.bytes
      guard fits(bytes, requests, sent) else { continue }
      // When that minute is over, and an hour has passed.
      let (end, overflow) = ((minute.number &+ 61) &* Self.minute).subtractingReportingOverflow(now)
      return overflow ? Self.minute : max(1, end)
    }
    return nil
  }

  mutating func spend(_ bytes: Int, now: Int64) {
    forget(before: now)
    let number = Self.number(now)
    if let last = minutes.indices.last, minutes[last].number >= number {
      minutes[last].requests += 1
      minutes[last].bytes = minutes[last].bytes.addingReportingOverflow(bytes).partialValue
    } else {
      minutes.append(Minute(number: number, requests: 1, bytes: bytes))
    }
  }

  private var total: (requests: Int, bytes: Int) {
    minutes.reduce((0, 0)) { ($0.0 + $1.requests, $0.1 + $1.bytes) }
  }

  /// A body beyond all measure goes alone, or it would wait for ever.
  private func fits(_ bytes: Int, _ requests: Int, _ sent: Int) -> Bool {
    requests < maximumRequests && (requests == 0 || bytes <= maximumBytes - min(sent, maximumBytes))
  }

  private mutating func forget(before now: Int64) {
    let number = Self.number(now)
    minutes.removeAll { $0.number &+ 60 < number }
  }

  private static func number(_ now: Int64) -> Int64 {
    now / 60_000 &- (now % 60_000 < 0 ? 1 : 0)
  }
}
