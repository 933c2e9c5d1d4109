import AutoMobileSupport

/// How long a session that goes on asks nobody, after somebody would not take it: longer each time, until something is taken.
struct UploadPause: Sendable, Equatable {
  /// In milliseconds.
  static let firstWait: Int64 = 60_000
  static let longestWait: Int64 = 900_000

  private var wait = UploadPause.firstWait
  private var until: Int64 = .min
  /// It began since somebody said that it had not.
  var isNew = false

  /// - Parameter time: milliseconds, by a clock that does not jump.
  mutating func begin(at time: Int64) {
    until = time.adding(saturating: wait)
    wait = min(wait.multiplied(saturating: 2), Self.longestWait)
    isNew = true
  }

  func lasts(at time: Int64) -> Bool { time < until }
}
