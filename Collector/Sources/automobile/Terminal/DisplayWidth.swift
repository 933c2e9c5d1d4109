/// How many columns text takes in a terminal.
enum DisplayWidth {
  static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

  /// Cut to `width` columns, the last of them an ellipsis; unchanged when it fits.
  static func truncated(_ text: String, to width: Int) -> String {
    guard width > 0 else { return "" }
    var used = 0
    var kept = ""
    for character in text {
      let columns = of(character)
      if used + columns > width {
        while used > width - 1, let last = kept.popLast() { used -= of(last) }
        return kept + "…"
      }
      kept.append(character)
      used += columns
    }
    return text
  }

  /// East Asian wide characters and emoji take two columns, marks that combine none.
  static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.isASCII { return 1 }
    if first.properties.generalCategory == .nonspacingMark || first.properties.generalCategory == .format { return 0 }
    // A symbol followed by the selector for its coloured form.
    if character.unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
