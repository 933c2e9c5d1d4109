import AutoMobileRecorder
import Foundation

/// A regular expression from outside, whose time is limited: it backtracks, and some patterns do so for longer than the
/// universe has existed. `NSRegularExpression` asks now and then whether to go on.
struct BoundedRegex: Sendable {
  enum Answer: Equatable { case found, notFound, tookTooLong }

  /// Of the pattern, in bytes.
  static let maximumLength = 512
  /// Of the text, in bytes; longer ones do not match.
  static let maximumText = 4096
  static let maximumMilliseconds: Int64 = 20

  private let expression: NSRegularExpression

  /// - Throws: `ControlError`, which says what is wrong.
  init(_ pattern: String) throws {
    guard (1...Self.maximumLength).contains(pattern.utf8.count) else {
      throw ControlError("a regular expression has 1 to \(Self.maximumLength) bytes")
    }
    do {
      expression = try NSRegularExpression(pattern: pattern)
    } catch {
      throw ControlError("\"\(pattern.prefix(80))\" is not a regular expression")
    }
  }

  /// Whether it is found anywhere in the text.
  func search(_ text: String) -> Answer {
    guard text.utf8.count <= Self.maximumText else { return .notFound }
    let start = Clocks.uptimeMilliseconds()
    var answer = Answer.notFound
    expression.enumerateMatches(
      in: text, options: .reportProgress, range: NSRange(text.startIndex..., in: text)
    ) { match, _, stop in
      if match != nil {
        answer = .found
        stop.pointee = true
      } else if Clocks.uptimeMilliseconds().subtracting(saturating: start) > Self.maximumMilliseconds {
        answer = .tookTooLong
        stop.pointee = true
      }
    }
    return answer
  }
}
