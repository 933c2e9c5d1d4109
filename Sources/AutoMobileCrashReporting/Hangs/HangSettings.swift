/// When a main thread that does not answer hangs. Times are in milliseconds.
struct HangSettings: Sendable, Equatable {
  /// Without an answer for so long, it hangs.
  var threshold: Int64 = 2000
  /// From one question to the next, and from one look at a hang to the next.
  var interval: Int64 = 500
  /// From here on it is one at which people give up: the same hang, with a mark.
  static let anrThreshold: Int64 = 5000
  /// The main queue is known to be served, before it has answered for the first time.
  var isServed = HangSettings.isServedByTheSystem

  /// What session replay asks for when hangs are not watched otherwise.
  static let replay = HangSettings(threshold: 5000, interval: 2000)

  /// An app with a user interface has a main run loop; a program on another system may have none.
  #if os(iOS) || os(tvOS) || os(visionOS)
  private static let isServedByTheSystem = true
  #else
  private static let isServedByTheSystem = false
  #endif

  init(threshold: Int64 = 2000, interval: Int64 = 500) {
    self.threshold = min(max(threshold, 20), 3_600_000)
    self.interval = min(max(interval, 10), 60_000)
  }

  /// - Parameters:
  ///   - thresholdMs: of an app; 2000 when it is no number.
  ///   - pollIntervalMs: of an app; 500 when it is no number.
  init(thresholdMs: Double, pollIntervalMs: Double) {
    self.init(threshold: Self.milliseconds(thresholdMs) ?? 2000, interval: Self.milliseconds(pollIntervalMs) ?? 500)
  }

  private static func milliseconds(_ value: Double) -> Int64? {
    value.isNaN ? nil : Int64(saturating: value)
  }

  /// One watch that serves both.
  func combined(with other: HangSettings) -> HangSettings {
    HangSettings(threshold: min(threshold, other.threshold), interval: min(interval, other.interval))
  }

  /// A watchdog that comes so much too late, and had not to wait for a core (``Lateness``), was stopped together with the process: by
  /// a signal, by the system that suspends apps, by a debugger.
  var lateness: Int64 { min(max(threshold / 4, 100), 500) }
}
