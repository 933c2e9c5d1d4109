/// Words of ours, which stand outside of the frame of recorded data. What an app recorded cannot become part of them: only
/// what is listed here can be put into them, and none of it can hold a sentence.
struct OwnWords: ExpressibleByStringInterpolation, Sendable {
  let text: String

  init(stringLiteral value: String) { text = value }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 12 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ number: Int) { text += String(number) }
    mutating func appendInterpolation(_ number: Int64) { text += String(number) }
    /// `1 session`, `2 sessions`
    mutating func appendInterpolation(_ count: Int, _ noun: StaticString) {
      text += "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    mutating func appendInterpolation(_ words: OwnWords) { text += words.text }
    mutating func appendInterpolation(time milliseconds: Int64) { text += MomentText.text(milliseconds) }
    mutating func appendInterpolation(_ cursor: AnswerCursor) { text += cursor.text }
    mutating func appendInterpolation(_ viewer: ViewerAddress) { text += viewer.text }
  }
}

/// Where a page goes on. Opaque to clients; letters, digits and a few marks in fact, whoever made it.
struct AnswerCursor: Sendable {
  let text: String

  /// Nil for what none of ours looks like.
  init?(_ text: String?) {
    guard let text, Self.isOne(text) else { return nil }
    self.text = text
  }

  init(_ number: Int) { text = String(number) }

  /// `4.1000`, `a:4.1000`
  static func isOne(_ text: String) -> Bool {
    (1...60).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x3A
      }
  }
}

/// Where the viewer is: an address whose host is nothing but a host.
package struct ViewerAddress: Sendable {
  let text: String

  /// `http://127.0.0.1:8765`; nil for anything that is more than scheme, host and port, and perhaps a plain path.
  package init?(_ text: String) {
    guard let slashes = text.range(of: "://"), ["http", "https"].contains(text[..<slashes.lowerBound]) else {
      return nil
    }
    let rest = text[slashes.upperBound...]
    let host = rest.prefix { $0 != "/" }
    let path = rest[host.endIndex...]
    guard Authority(host) != nil, path.utf8.count <= 100,
      path.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x2D...0x39).contains($0) })
    else { return nil }
    self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}
