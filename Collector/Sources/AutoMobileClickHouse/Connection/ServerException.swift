import NIOCore

/// An exception as ClickHouse writes it into an answer:
///
///     Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() = DB::Exception
///     Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE) (version 26.9.2.1 (official build))
struct ServerException: Equatable {
  var code: Int
  var message: String

  /// More than this of what a server says nobody reads.
  static let longestMessage = 1000

  /// - Parameter text: begins with the exception.
  init?(_ text: Substring) {
    var text = text
    // Of a library below ClickHouse: what it says has no form.
    let isForeign = ["Poco::Exception. ", "std::exception. "].contains { text.hasPrefix($0) }
    if isForeign { text = text[text.index(text.startIndex, offsetBy: 16)...].drop { $0 == " " } }
    guard text.hasPrefix("Code: ") else { return nil }
    let digits = text.dropFirst(6).prefix { $0.isASCII && $0.isNumber }
    guard let code = Int(digits) else { return nil }
    var message = text[digits.endIndex...]
    for beginning in [", e.code() = 0, e.displayText() = ", ", e.displayText() = ", ". ", ", "]
    where message.hasPrefix(beginning) {
      message = message.dropFirst(beginning.count)
      break
    }
    // Its kind: DB::Exception, DB::NetException and so on.
    let kind = message.prefix { !$0.isWhitespace }
    if kind.hasPrefix("DB::"), kind.hasSuffix("Exception:") {
      message = message[kind.endIndex...].dropFirst()
    } else if !isForeign {
      return nil
    }
    for ending in [", e.what() = ", " (version "] {
      if let range = message.place(of: ending, isLast: true) { message = message[..<range.lowerBound] }
    }
    self.code = code
    self.message = Self.shortened(message)
  }

  init(code: Int, message: String) {
    self.code = code
    self.message = Self.shortened(message[...])
  }

  /// On one line, of a length that a log can have: counted in scalars, since one character may be made of any number of them.
  static func shortened(_ text: Substring) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longestMessage) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
      default: line.append(scalar)
      }
    }
    return String(line).trimmed
  }
}

extension StringProtocol {
  /// Where a text stands in this one, compared by bytes.
  func place(of text: String, isLast: Bool = false) -> Range<Index>? {
    let here = utf8
    let wanted = Array(text.utf8)
    var found: Range<Index>?
    var index = here.startIndex
    while index != here.endIndex {
      if here[index] == wanted[0], here[index...].starts(with: wanted) {
        found = index..<here.index(index, offsetBy: wanted.count)
        if !isLast { return found }
      }
      here.formIndex(after: &index)
    }
    return found
  }

  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
