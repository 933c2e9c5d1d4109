import AutoMobileRecorder

/// Keeps from asking a collector that is not there: after some failures in a row nobody asks for a while, then one request
/// tries, and the wait doubles until one succeeds. One that says itself for how long it wants to be left alone is left alone so long.
actor CircuitBreaker {
  static let threshold = 5
  /// In milliseconds.
  static let firstWait: Int64 = 30_000
  static let longestWait: Int64 = 300_000

  private let now: @Sendable () -> Int64
  private var failures = 0
  private var wait = CircuitBreaker.firstWait
  private var opensAt: Int64?
  private var isTrying = false
  private var quietUntil: Int64?

  /// - Parameter now: milliseconds on a clock that never jumps.
  init(now: @escaping @Sendable () -> Int64 = Clocks.continuousMilliseconds) { self.now = now }

  /// Whether a request may go out now.
  func allows() -> Bool {
    guard !isQuiet else { return false }
    guard let opensAt else { return true }
    guard now() >= opensAt, !isTrying else { return false }
    isTrying = true
    return true
  }

  /// What came of it. Whatever a collector answers, short of an error of its own, shows that it is there.
  ///
  /// - Parameter retryAfter: what it asked to wait for, in milliseconds. Another network changes nothing about that.
  func note(_ status: Int, retryAfter: Int64? = nil) {
    isTrying = false
    if let retryAfter, status >= 400 {
      let (until, overflow) = now().addingReportingOverflow(max(0, retryAfter))
      quietUntil = max(quietUntil ?? .min, overflow ? .max : until)
    }
    guard status == 0 || status >= 500 else {
      failures = 0
      wait = Self.firstWait
      opensAt = nil
      return
    }
    failures = min(failures + 1, 1000)
    guard failures >= Self.threshold else { return }
    opensAt = now() &+ wait
    wait = min(wait &* 2, Self.longestWait)
  }

  /// There is another network: whoever was not there may be there by this one.
  func retry() {
    guard opensAt != nil else { return }
    opensAt = now()
    wait = Self.firstWait
  }

  var isOpen: Bool { opensAt != nil || isQuiet }

  private var isQuiet: Bool { quietUntil.map { now() < $0 } ?? false }
}
