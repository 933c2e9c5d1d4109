/// The little that is to be known of GraphQL documents.
enum GraphQLDocument {
  /// Whether a text, as it stands in JSON, begins like one.
  static func isOne(_ text: some Collection<UInt8>) -> Bool {
    let words = words(text)
    guard let first = words.first else { return false }
    return first == "{" || kinds.contains(first) || first == "fragment"
  }

  /// `Login` of `mutation Login($name: String!) { … }`; nil for an operation without a name.
  static func operationName(_ text: some Collection<UInt8>) -> String? {
    let words = words(text)
    guard let kind = words.first, kinds.contains(kind), words.count > 1 else { return nil }
    return isName(words[1]) ? words[1] : nil
  }

  static func isName(_ text: String) -> Bool {
    (1...maximumName).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private static let maximumName = 128
  private static let kinds = ["query", "mutation", "subscription"]

  /// The first two words.
  private static func words(_ text: some Collection<UInt8>) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isEscaped = false
    for byte in text.prefix(1024) {
      if isEscaped {
        isEscaped = false
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
      } else if byte == UInt8(ascii: "\\") {
        // A line's end, as JSON has it.
        isEscaped = true
      } else if byte <= 0x20 || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word = []
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
          words.append(byte == UInt8(ascii: "{") ? "{" : "(")
        }
      } else {
        word.append(byte)
      }
      if words.count >= 2 { break }
    }
    return words
  }
}
