import Foundation

/// Which log entries to keep, and under what name.
struct LogFilter: Sendable {
  let name: String
  /// Found anywhere in the tag. An entry without a tag does not match.
  let tagPattern: NSRegularExpression?
  /// Found anywhere in the message.
  let messagePattern: NSRegularExpression?
  let minLevel: LogLevel

  /// Whether an entry is to be kept: all that is set must match.
  func matches(level: LogLevel, tag: String?, message: String) -> Bool {
    guard level >= minLevel else { return false }
    if let tagPattern {
      guard let tag, tagPattern.isFound(in: tag) else { return false }
    }
    if let messagePattern {
      guard messagePattern.isFound(in: message) else { return false }
    }
    return true
  }
}

extension NSRegularExpression {
  fileprivate func isFound(in text: String) -> Bool {
    firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
