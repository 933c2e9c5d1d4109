/// Recorded text, made safe to print.
///
/// What an app recorded can hold escape sequences that move the cursor, change the title or hide text. None of them
/// reaches a terminal: control and direction characters are shown as escapes. ``Console`` sees to that for everything that
/// is written to one. Whoever makes a line of a table or a list calls ``text(_:)`` besides, wherever it goes: one field is
/// one line, and as wide as it looks.
enum Printable {
  /// What text is, and so how a character in it can be escaped.
  enum Form { case text, json }

  /// One line of it.
  static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = ""
    safe.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars { append(scalar, to: &safe, as: .text) }
    return safe
  }

  /// The same for text that is JSON: unsafe characters can only stand inside its strings, so they become its escapes.
  static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var safe = ""
    safe.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars { append(scalar, to: &safe, as: .json) }
    return safe
  }

  /// Several lines, as a terminal may have them, with this program's own colours.
  static func terminal(_ text: String, as form: Form) -> String {
    guard text.unicodeScalars.contains(where: { isUnsafe($0) && $0 != "\n" || TerminalMark.mayBegin($0) }) else {
      return text
    }
    let scalars = Array(text.unicodeScalars)
    var safe = ""
    safe.reserveCapacity(text.utf8.count + 64)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      if TerminalMark.mayBegin(scalar), let mark = TerminalMark.sequence(at: scalars[index...]) {
        safe += mark.text
        index += mark.length
        continue
      }
      if scalar == "\n" || scalar == "\t" {
        safe.unicodeScalars.append(scalar)
      } else {
        append(scalar, to: &safe, as: form)
      }
      index += 1
    }
    return safe
  }

  private static func append(_ scalar: Unicode.Scalar, to safe: inout String, as form: Form) {
    guard isUnsafe(scalar) else { return safe.unicodeScalars.append(scalar) }
    switch (form, scalar) {
    case (.json, _):
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    case (.text, "\n"): safe += "\\n"
    case (.text, "\r"): safe += "\\r"
    case (.text, "\t"): safe += "\\t"
    case (.text, _): safe += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  /// Controls (C0, DEL, C1), line separators, what changes the direction of the text around it, and what cannot be seen
  /// at all. Joiners are left: writing in Persian or Hindi, and many emoji, are wrong without them.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
