import Testing

@testable import AutoMobileRecorder

@Suite struct RetryPolicyTests {
  private let withoutJitter = RetryPolicy { $0.lowerBound }
  private let fullJitter = RetryPolicy { $0.upperBound }

  @Test(arguments: [0, 408, 429, 500, 502, 503, 504, 599])
  func `network failures and passing troubles of the receiver are retried`(status: Int) {
    #expect(RetryPolicy().shouldRetry(statusCode: status, attempt: 0).shouldRetry)
  }

  @Test(arguments: [200, 204, 301, 400, 401, 403, 404, 413, 415, 422, 600, -1, .max])
  func `everything else is not retried and has no delay`(status: Int) {
    #expect(RetryPolicy().shouldRetry(statusCode: status, attempt: 0) == (false, 0))
  }

  @Test func `the delays are one, two and four seconds, and then it is over`() {
    #expect((0...2).map { withoutJitter.shouldRetry(statusCode: 503, attempt: $0).delayMs } == [1000, 2000, 4000])
    #expect(withoutJitter.shouldRetry(statusCode: 503, attempt: 3) == (false, 0))
  }

  @Test func `jitter adds a quarter at most`() {
    #expect((0...2).map { fullJitter.shouldRetry(statusCode: 0, attempt: $0).delayMs } == [1250, 2500, 5000])
    for _ in 0..<200 { #expect((1000...1250).contains(RetryPolicy().shouldRetry(statusCode: 0, attempt: 0).delayMs)) }
  }

  @Test func `the delay is capped before the jitter is added`() {
    let policy = RetryPolicy(maxRetries: 20, baseDelayMs: 10_000, maxDelayMs: 30_000) { $0.upperBound }
    #expect(policy.shouldRetry(statusCode: 500, attempt: 10).delayMs == 37_500)
  }

  @Test func `extreme numbers are harmless`() {
    let huge = RetryPolicy(maxRetries: .max, baseDelayMs: .max, maxDelayMs: .max) { $0.upperBound }
    #expect(huge.shouldRetry(statusCode: 500, attempt: .max - 1).delayMs == .max)
    #expect(huge.shouldRetry(statusCode: 500, attempt: .min).delayMs == .max)
    let negative = RetryPolicy(maxRetries: 1, baseDelayMs: -5, maxDelayMs: -1)
    #expect(negative.shouldRetry(statusCode: 500, attempt: 0) == (true, 0))
    #expect(RetryPolicy(maxRetries: -1).shouldRetry(statusCode: 500, attempt: 0) == (false, 0))
  }

  @Test func `the defaults are the documented ones`() {
    let policy = RetryPolicy()
    #expect((policy.maxRetries, policy.baseDelayMs, policy.maxDelayMs) == (3, 1000, 30_000))
  }
}

@Suite struct RetryAfterTests {
  private let now: Int64 = 1_700_000_000_000  // Tue, 14 Nov 2023 22:13:20 GMT

  @Test(arguments: [
    ("7", 7000), ("0", 0), (" 30 ", 30_000), ("3600", RetryAfter.longest), ("86400", RetryAfter.longest),
    ("99999999999999999999999", RetryAfter.longest),
    ("Tue, 14 Nov 2023 22:13:50 GMT", 30_000), ("Tuesday, 14-Nov-23 22:13:50 GMT", 30_000),
    ("Tue Nov 14 22:13:50 2023", 30_000), ("Tue, 14 Nov 2023 22:00:00 GMT", 0),
    ("Fri, 31 Dec 9999 23:59:59 GMT", RetryAfter.longest),
  ])
  func `seconds and dates are understood, within an hour`(value: String, expected: Int64) {
    #expect(RetryAfter.milliseconds(value, date: nil, now: now) == expected)
  }

  @Test(arguments: ["", "soon", "-5", "1.5", "12h", "Tue, 14 Nov", "\u{0}", "٣", "m\u{318}odh\u{FFFD}O"])
  func `anything else is ignored`(value: String) {
    #expect(RetryAfter.milliseconds(value, date: nil, now: now) == nil)
  }

  @Test func `a date is measured by the receiver's clock when it says what time it has`() {
    let wait = RetryAfter.milliseconds(
      "Tue, 14 Nov 2023 22:13:50 GMT", date: "Tue, 14 Nov 2023 22:13:40 GMT", now: 0)
    #expect(wait == 10_000)
  }
}
