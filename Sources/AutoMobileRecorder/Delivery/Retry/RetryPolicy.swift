/// When a delivery that failed is tried again, and after how long.
///
/// Tried again are network failures (given as status 0), 408, 429 and 5xx. The delay doubles with each attempt, is cut
/// to ``maxDelayMs``, and gets a random quarter at most on top, so that many devices do not come back at one moment.
/// With the defaults: 1, 2 and 4 seconds.
public struct RetryPolicy: Sendable {
  /// How many retries may follow the first attempt.
  public let maxRetries: Int
  /// Delay before the first retry, in milliseconds.
  public let baseDelayMs: Int
  /// The longest delay, in milliseconds; jitter comes on top.
  public let maxDelayMs: Int
  /// A random number in the range.
  let random: @Sendable (ClosedRange<Int>) -> Int

  public init(maxRetries: Int = 3, baseDelayMs: Int = 1000, maxDelayMs: Int = 30_000) {
    self.init(maxRetries: maxRetries, baseDelayMs: baseDelayMs, maxDelayMs: maxDelayMs) { Int.random(in: $0) }
  }

  init(
    maxRetries: Int = 3, baseDelayMs: Int = 1000, maxDelayMs: Int = 30_000,
    random: @escaping @Sendable (ClosedRange<Int>) -> Int
  ) {
    self.maxRetries = maxRetries
    self.baseDelayMs = baseDelayMs
    self.maxDelayMs = maxDelayMs
    self.random = random
  }

  /// Whether to try again after the answer `statusCode` to an attempt, the first being 0, and after how long.
  ///
  /// The delay is 0 when there is no retry.
  public func shouldRetry(statusCode: Int, attempt: Int) -> (shouldRetry: Bool, delayMs: Int) {
    guard Self.isTransient(statusCode), attempt < maxRetries else { return (false, 0) }
    return (true, delayMs(attempt: attempt))
  }

  /// Whether the same request may succeed later: the network failed (0), or the answer was 408, 429 or 5xx.
  static func isTransient(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 0, 408, 429, 500...599: true
    default: false
    }
  }

  /// The delay after an attempt, with its jitter, whatever ``maxRetries`` says.
  func delayMs(attempt: Int, limit: Int? = nil) -> Int {
    // From 2^62 on a shift would leave the integer's range; the limit has been reached long before.
    let shift = min(max(0, attempt), Int.bitWidth - 2)
    let (doubled, overflow) = max(0, baseDelayMs).multipliedReportingOverflow(by: 1 << shift)
    let delay = min(overflow ? .max : doubled, max(0, limit ?? maxDelayMs))
    let (sum, tooLong) = delay.addingReportingOverflow(random(0...(delay / 4)))
    return tooLong ? .max : sum
  }
}
