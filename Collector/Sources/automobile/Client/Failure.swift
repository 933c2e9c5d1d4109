import ArgumentParser

/// Why a command ends without having done what it was asked for.
struct Failure: Error, CustomStringConvertible {
  enum Kind: Int32 {
    /// It was tried, and the answer is no.
    case failed = 1
    /// It could not be tried: wrong arguments, or nobody answers.
    case unavailable = 2
  }

  var kind = Kind.failed
  var message: String
  /// What to do about it.
  var advice: String?
  /// Of the collector's answer, when it refused.
  var status: Int?

  var description: String { advice.map { "\(message)\n       \($0)" } ?? message }
}
