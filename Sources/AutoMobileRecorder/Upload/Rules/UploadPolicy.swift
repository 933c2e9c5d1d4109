/// What of a recording leaves the device by itself.
///
///     configuration.upload = .whenTriggered(.standard)
///
/// Either way everything is recorded, into the same journal, at the same cost. A collector may say something else in its configuration
/// document, and that counts more. See the page *Flight recorder mode*.
public enum UploadPolicy: Sendable, Equatable {
  /// Everything that is recorded is sent.
  case everything
  /// Everything stays on the device, but for summaries of sessions, crashes, handled failures, hangs and what rules name.
  case whenTriggered(UploadRules)
}

/// What is sent of what is kept on the device, and for how long the rest stays there.
///
/// Numbers out of their bounds become the nearest within; more than ``maximumRules`` rules are cut off, and `diagnostics.upload` says
/// so.
public struct UploadRules: Sendable, Equatable {
  /// The most rules that count.
  public static let maximumRules = 64

  public var rules: [UploadRule]
  /// After so many days, what no rule names is removed, unsent: 1 … 90. What is named stays for four weeks. Within
  /// ``AutoMobileConfiguration/journalBudget`` in any case.
  public var keepDays: Int { didSet { keepDays = Self.days(keepDays) } }
  /// The most that is sent in a day of what rules name, in bytes of bodies as they go over the wire. Summaries, crashes, handled
  /// failures and hangs go nevertheless. Nil: no limit. A day is one of the calendar in UTC.
  public var bytesPerDay: Int? { didSet { bytesPerDay = bytesPerDay.map { max(0, $0) } } }
  /// The same over networks that cost by volume. Apple platforms; elsewhere no network is known to be one.
  public var cellularBytesPerDay: Int? { didSet { cellularBytesPerDay = cellularBytesPerDay.map { max(0, $0) } } }

  /// What most apps begin with: minutes around crashes, unexpected ends, hangs, failed requests, annoyed taps and what the app asks
  /// for itself.
  public static let standard = UploadRules([
    UploadRule("crash", when: .crash, send: UploadSpan(minutesBefore: 5, minutesAfter: 0, priority: 9)),
    UploadRule(
      "unexpected end", when: .unexpectedEnd, send: UploadSpan(minutesBefore: 5, minutesAfter: 0, priority: 8)),
    UploadRule("hang", when: .hang(atLeastMs: 2000), send: UploadSpan(perDay: 20)),
    UploadRule("failed request", when: .request(UploadRequest(failed: true)), send: UploadSpan(perDay: 20)),
    UploadRule("rage tap", when: .rageTap, send: UploadSpan(perDay: 20)),
    UploadRule(
      "capture", when: .capture, send: UploadSpan(minutesBefore: 10, minutesAfter: 1, perDay: 20, priority: 7)),
  ])

  public init(
    _ rules: [UploadRule], keepDays: Int = 7, bytesPerDay: Int? = nil, cellularBytesPerDay: Int? = nil
  ) {
    self.rules = rules
    self.keepDays = Self.days(keepDays)
    self.bytesPerDay = bytesPerDay.map { max(0, $0) }
    self.cellularBytesPerDay = cellularBytesPerDay.map { max(0, $0) }
  }

  private static func days(_ days: Int) -> Int { min(max(1, days), 90) }
}
