/// Text that an app recorded, made safe to show to a model: one line, bounded, and nothing in it that cannot be seen.
enum RecordedText {
  /// One line of at most so many bytes, `…` included. What is not visible stands there as an escape: `\n`, `\u{202E}`.
  static func line(_ text: String, most: Int) -> String {
    var safe = ""
    var left = max(most, 8)
    for scalar in text.unicodeScalars {
      let piece = isUnsafe(scalar) ? escape(scalar) : String(scalar)
      let size = piece.utf8.count
      // Three bytes for the sign that something is left out.
      guard size + 3 <= left else { return safe + "…" }
      safe += piece
      left -= size
    }
    return safe
  }

  /// Several lines, each safe, long ones cut into pieces: nothing is left out.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
      var current = ""
      var size = 0
      for scalar in line.unicodeScalars {
        let piece = scalar == "\t" ? "  " : isUnsafe(scalar) ? escape(scalar) : String(scalar)
        if size + piece.utf8.count > width {
          lines.append(current)
          (current, size) = ("", 0)
        }
        current += piece
        size += piece.utf8.count
      }
      lines.append(current)
    }
    return lines
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  /// Controls, line ends, what changes the direction of text, and what a model reads and a person does not see: tags and
  /// selectors that spell hidden sentences, joiners, fillers, private and unassigned characters. Some writing looks less well
  /// with its joiners spelled out; what is read here is evidence, and no page.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    default: break
    }
    switch scalar.value {
    // Seen as nothing, or as a blank: grapheme joiner, fillers, vowels that are not there, selectors, the empty braille sign.
    case 0x034F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x2800, 0x3164, 0xFE00...0xFE0F, 0xFFA0,
      0xE0100...0xE01EF:
      return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
