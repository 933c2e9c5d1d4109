/// What came of a request.
enum ForwardOutcome: Sendable, Equatable {
  /// Acknowledged; of its records so many were not taken, which are not sent again.
  case accepted(rejected: Int, reason: String?)
  /// The same may go well later; after so many seconds, when the receiver said so.
  case later(reason: String, after: Double?)
  /// Too much at once.
  case tooLarge(reason: String)
  /// Refused for good: not sent again.
  case refused(reason: String)
  /// The receiver, or the operator's own rules, let nothing through as it is set: mostly until somebody changes that.
  case blocked(reason: String)
}

/// How long is waited until something is tried again.
struct ForwardPause: Sendable {
  var first = 1.0
  var longest = 60.0
  /// However long a receiver asks for.
  var longestAsked = 3600.0
  /// Until a receiver that let nothing through is asked once more.
  var blocked = 600.0
  /// Between two looks whether a lane that another collector has is free.
  var elsewhere = 2.0

  /// - Parameters:
  ///   - attempt: from 1.
  ///   - asked: what the receiver said.
  func seconds(attempt: Int, asked: Double?) -> Double {
    let own = min(first * Double(1 << min(max(attempt - 1, 0), 20)), longest)
    // Not all at the same moment, when a receiver comes back. Never earlier than it asks for.
    guard let asked, asked > 0 else { return own * Double.random(in: 0.75...1.25) }
    return max(min(asked, longestAsked), 0.05) * Double.random(in: 1...1.1)
  }
}
