/// Members whose type nobody has promised: of another one than expected, they are passed over.
extension JSONScanner {
  /// Reads a text, of which so many characters are kept.
  mutating func text(most: Int) throws -> String? {
    guard try peek() == .string else {
      try skip()
      return nil
    }
    return String(decode(try string()).prefix(most))
  }

  /// Reads a length of time in milliseconds, and gives it in microseconds; nil for what is none.
  mutating func microseconds() throws -> Int64? {
    let value = try skip()
    guard value.kind == .number, let milliseconds = Double(String(decoding: bytes[value.range], as: UTF8.self)),
      (0...1e12).contains(milliseconds)
    else { return nil }
    return Int64((milliseconds * 1000).rounded())
  }
}
