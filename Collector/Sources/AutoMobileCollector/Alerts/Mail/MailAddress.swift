/// An address as SMTP takes it: the part of RFC 5321 that is in use, and nothing that could end a command.
enum MailAddress {
  static func isOne(_ text: String) -> Bool {
    let sides = text.split(separator: "@", omittingEmptySubsequences: false)
    guard sides.count == 2, (1...64).contains(sides[0].utf8.count),
      (try? EgressHost.normalized(String(sides[1]))) != nil,
      text.utf8.count <= 254
    else { return false }
    let parts = sides[0].split(separator: ".", omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          let character = Character(UnicodeScalar(byte))
          return character.isASCII
            && (character.isLetter || character.isNumber || "!#$%&'*+-/=?^_`{|}~".contains(character))
        }
    }
  }
}
