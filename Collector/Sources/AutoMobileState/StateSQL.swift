/// The text of a statement: written in this program, with parts that are repeated put in by name. Nothing that somebody sent can
/// become one, since only literals and other ``StateSQL`` make it up; what is sent is a value.
///
/// It is in the words that SQLite and PostgreSQL share:
///
/// | wanted | written |
/// |---|---|
/// | a value | `?1`, `?2` and so on: by number, always |
/// | put in, or leave | `ON CONFLICT (column) DO NOTHING` |
/// | put in, or replace | `ON CONFLICT (column) DO UPDATE SET`; the columns are named, always |
/// | the first that is there | `COALESCE` |
/// | the larger of two | `CASE WHEN a < b THEN b ELSE a END` |
/// | the same, or both are missing | `(a = ?1 OR (a IS NULL AND ?1 IS NULL))` |
/// | contains | `a LIKE ?1 ESCAPE '\'`: upper and lower case of ASCII are the same |
/// | the number of what was put in | `RETURNING id` |
/// | truth | 0 and 1: `WHERE firing = 1` |
/// | the newest so many | `LIMIT ?1`, in a query; none in `DELETE` and `UPDATE` |
///
/// Names are not quoted. Columns of an `INSERT` are named. Texts are compared by their bytes. A sum of whole numbers may be of
/// another kind: `CAST(SUM(n) AS BIGINT)`.
package struct StateSQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
    package mutating func appendInterpolation(_ part: StateSQL) { text += part.text }
    /// The mark of a value, where its number is known late only: `?3` for 3.
    package mutating func appendInterpolation(value number: Int) { text += "?\(number)" }
  }

  /// With `?1` for the first value.
  package let text: String

  package init(stringLiteral value: StaticString) { text = value.description }
  package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// The same for an engine with another mark in front of the numbers of values (`$1` for `?1`), and another word for a `LIKE` to
  /// which upper and lower case are the same. What stands in strings, quoted names and comments stays.
  package func numbered(_ mark: Character, like: String = "ILIKE") -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let end = Self.endOfQuoted(bytes, at: index)
      let length = Self.lengthOfWord(bytes, at: index)
      if end > index {
        result += bytes[index..<end]
        index = end
      } else if length > 0 {
        let word = bytes[index..<index + length]
        result += word.elementsEqual("LIKE".utf8) ? Array(like.utf8) : Array(word)
        index += length
      } else {
        let isMark = bytes[index] == UInt8(ascii: "?") && index + 1 < bytes.count && Self.isDigit(bytes[index + 1])
        if isMark { result += mark.utf8 } else { result.append(bytes[index]) }
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Of the letters, digits and underscores that stand there.
  private static func lengthOfWord(_ bytes: [UInt8], at start: Int) -> Int {
    bytes[start...].prefix { isDigit($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F || $0 >= 0x80 }.count
  }

  /// Where the string, quoted name or comment ends that begins here; `start` when none does.
  private static func endOfQuoted(_ bytes: [UInt8], at start: Int) -> Int {
    let rest = bytes[start...]
    let end: ArraySlice<UInt8>.Index?
    switch (rest.first, rest.dropFirst().first) {
    case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _):
      // One that is doubled ends it here and begins it anew: the same.
      end = rest.dropFirst().firstIndex(of: bytes[start]).map { $0 + 1 }
    case (UInt8(ascii: "-"), UInt8(ascii: "-")):
      end = rest.firstIndex(of: UInt8(ascii: "\n"))
    case (UInt8(ascii: "/"), UInt8(ascii: "*")):
      end = rest.dropFirst(2).firstRange(of: Array("*/".utf8))?.upperBound
    default:
      return start
    }
    return end ?? bytes.count
  }
}

extension [StateSQL] {
  package func joined(separator: StateSQL) -> StateSQL {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
  }
}
