/// A pattern in which `*` stands for any characters, also none, and `?` for one byte. All of a text must match.
///
/// Takes at most the product of the two lengths, whatever the pattern.
struct Glob: Sendable, Equatable {
  let pattern: String
  private let bytes: [UInt8]
  private let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool = false) {
    self.pattern = pattern
    self.ignoresCase = ignoresCase
    bytes = Self.bytes(pattern, ignoresCase)
  }

  func matches(_ text: String) -> Bool {
    let text = Self.bytes(text, ignoresCase)
    var at = 0
    var next = 0
    /// Where the last star stands, and up to where it has taken text.
    var star: (pattern: Int, text: Int)?
    while at < text.count {
      if next < bytes.count, bytes[next] == UInt8(ascii: "*") {
        star = (next, at)
        next += 1
      } else if next < bytes.count, bytes[next] == UInt8(ascii: "?") || bytes[next] == text[at] {
        at += 1
        next += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        at = last.text + 1
        next = last.pattern + 1
      } else {
        return false
      }
    }
    return bytes[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private static func bytes(_ text: String, _ ignoresCase: Bool) -> [UInt8] {
    Array(ignoresCase ? text.lowercased().utf8 : text.utf8)
  }
}
