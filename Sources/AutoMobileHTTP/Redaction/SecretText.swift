/// Looks for secrets in text of no particular format: `token=…`, `password: …`, `"pin": …`, `<secret>…`,
/// `name="otp" value="…"`, `https://user:secret@…`, `Bearer …`, whatever encodings lie over them.
struct SecretText {
  let names: SecretNames
  /// The text is a GraphQL document, in which `password: $p` names a variable and says nothing of its value.
  var isGraphQL = false

  /// Whether something in there looks like a secret. True when it is encoded too often to be sure.
  func isFound(in text: some Collection<UInt8>) -> Bool {
    guard text.contains(where: Self.isTelling) else { return false }
    var bytes = Array(text)
    for _ in 0..<TextDecoding.maximumRounds {
      if isFoundAsItStands(bytes) { return true }
      guard let decoded = TextDecoding.decodedOnce(bytes) else { return false }
      bytes = decoded
    }
    return true
  }

  func isFound(in text: String) -> Bool { isFound(in: text.utf8) }

  /// Without any of these there is neither a pair nor an encoding.
  private static func isTelling(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "<"), UInt8(ascii: "%"), UInt8(ascii: "\\"),
      UInt8(ascii: "&"), UInt8(ascii: " "):
      true
    default: false
    }
  }

  private func isFoundAsItStands(_ text: [UInt8]) -> Bool {
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "="), UInt8(ascii: ":"):
        if isSecretPair(text, index) || isUserInfo(text, index) { return true }
      case UInt8(ascii: "<"):
        if isSecretElement(text, index) { return true }
      case UInt8(ascii: " "):
        if isBearer(text, index) { return true }
      default: break
      }
    }
    return false
  }

  /// - Parameter index: of the equals sign or colon.
  private func isSecretPair(_ text: [UInt8], _ index: Int) -> Bool {
    var start = index + 1
    while start < text.count, Self.isBetween(text[start]) { start += 1 }
    guard start < text.count else { return false }
    let name = name(text, upTo: index)
    if names.match(name) {
      return !(isGraphQL && text[index] == UInt8(ascii: ":") && isVariable(text, name, value: start))
    }
    // A pair that says how another one is called.
    let lower = name.map { $0 | 0x20 }
    return Self.naming.contains { lower.elementsEqual($0.utf8) } && names.match(self.name(text, from: start))
  }

  private static let naming = ["name", "key", "field", "id"]

  /// `$password: String!` and `password: $password`.
  private func isVariable(_ text: [UInt8], _ name: ArraySlice<UInt8>, value: Int) -> Bool {
    if text[value] == UInt8(ascii: "$") { return true }
    let isDeclared = name.startIndex > 0 && text[name.startIndex - 1] == UInt8(ascii: "$")
    let isType = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[value]) || text[value] == UInt8(ascii: "[")
    guard isDeclared, isType else { return false }
    // A default value does say something.
    let rest = text[value...]
    let end = rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ")") || $0 == UInt8(ascii: "$") }
    return !rest[..<(end ?? rest.endIndex)].contains(UInt8(ascii: "="))
  }

  /// `<password>`, and the `</key>` in `<key>password</key>`.
  private func isSecretElement(_ text: [UInt8], _ index: Int) -> Bool {
    let name = text[(index + 1)...].prefix { Self.isName($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    if name.first != UInt8(ascii: "/") { return names.match(name) }
    let closed = name.dropFirst().map { $0 | 0x20 }
    return Self.naming.contains { closed.elementsEqual($0.utf8) } && names.match(self.name(text, upTo: index))
  }

  /// `://user:secret@host`
  private func isUserInfo(_ text: [UInt8], _ index: Int) -> Bool {
    guard text[index...].starts(with: "://".utf8) else { return false }
    let authority = text[(index + 3)...].prefix { !Self.endsAuthority($0) }
    return authority.contains(UInt8(ascii: "@"))
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: "\"")
  }

  /// `Bearer` before a blank, and something long after it.
  private func isBearer(_ text: [UInt8], _ index: Int) -> Bool {
    let scheme = text[..<index].suffix(6).map { $0 | 0x20 }
    guard scheme.elementsEqual("bearer".utf8) || scheme.suffix(5).elementsEqual("basic".utf8) else { return false }
    return text[(index + 1)...].prefix(8).count { $0 > 0x20 } == 8
  }

  /// The name that ends before `index`, up to quotes and blanks. Names and what stands between them and their values do not
  /// overlap, so that all of this is linear.
  private func name(_ text: [UInt8], upTo index: Int) -> ArraySlice<UInt8> {
    var end = index
    while end > 0, Self.isBetween(text[end - 1]) { end -= 1 }
    var start = end
    while start > 0, Self.isName(text[start - 1]) { start -= 1 }
    return text[start..<end]
  }

  private func name(_ text: [UInt8], from index: Int) -> ArraySlice<UInt8> {
    text[min(index, text.count)...].prefix(while: Self.isName)
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
      || byte == UInt8(ascii: "`")
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "["), UInt8(ascii: "]"), 0x80...:
      true
    default: false
    }
  }
}
