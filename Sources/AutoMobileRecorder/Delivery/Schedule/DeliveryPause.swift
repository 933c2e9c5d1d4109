/// How long delivery waits after trouble: longer each time, until something is taken.
struct DeliveryPause {
  private let policy: RetryPolicy
  private(set) var failures = 0
  private var refusals = 0

  /// When the policy's retries are used up, the waits go on doubling up to this, in milliseconds: a minute. What was to
  /// be delivered stays in the journal.
  static let longestAfterFailure = 60_000
  /// A receiver that refuses everything (wrong key, wrong address) is asked again after a minute, then less and less
  /// often, at least each quarter of an hour.
  static let afterRefusal = 60_000...900_000

  init(policy: RetryPolicy) { self.policy = policy }

  /// The documented retries of this batch have been made.
  var isExhausted: Bool { failures > policy.maxRetries }

  mutating func reset() {
    failures = 0
    refusals = 0
  }

  /// The wait after a failure that may pass, in milliseconds.
  ///
  /// - Parameter retryAfter: what the receiver asked for; it is never asked earlier.
  mutating func failed(status: Int, retryAfter: Int64?) -> Int64 {
    let attempt = failures
    failures += 1
    let (isRetry, delay) = policy.shouldRetry(statusCode: status, attempt: attempt)
    // Never less than a second once the retries are over, whatever the policy's base.
    let own = isRetry ? delay : max(1000, policy.delayMs(attempt: attempt, limit: Self.longestAfterFailure))
    return max(Int64(own), retryAfter ?? 0)
  }

  /// The wait after a refusal that repeating will hardly change, in milliseconds.
  mutating func refused(retryAfter: Int64?) -> Int64 {
    let shift = min(refusals, 8)
    refusals += 1
    return max(Int64(min(Self.afterRefusal.lowerBound << shift, Self.afterRefusal.upperBound)), retryAfter ?? 0)
  }
}
