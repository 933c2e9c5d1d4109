/// Bytes that are no text, for people.
enum HexDump {
  /// How many bytes are shown.
  static let maximum = 256

  /// Sixteen bytes a line: offset, digits, and the letters among them.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    let shown = Array(bytes.prefix(maximum))
    return stride(from: 0, to: shown.count, by: 16).map { start in
      let row = shown[start..<min(start + 16, shown.count)]
      let digits = row.map { padded($0, 2) }.joined(separator: " ")
      let letters = row.map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "." }.joined()
      let gap = String(repeating: " ", count: max(1, 49 - digits.count))
      return padded(start, 4) + "  " + digits + gap + letters
    }.joined(separator: "\n")
  }

  private static func padded(_ number: some FixedWidthInteger, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
