/// Standard base64 with padding (RFC 4648, section 4), decoded without intermediate objects.
enum Base64 {
  /// Appends what `text` stands for; false, with `output` as it was, when it is not base64.
  static func decode(_ text: some Collection<UInt8>, into output: inout [UInt8]) -> Bool {
    guard text.count % 4 == 0 else { return false }
    let before = output.count
    output.reserveCapacity(before + text.count / 4 * 3)
    var group: UInt32 = 0
    var filled = 0
    var padding = 0
    for byte in text {
      if byte == UInt8(ascii: "=") {
        padding += 1
        group <<= 6
      } else {
        let value = table[Int(byte)]
        guard value < 64, padding == 0 else { return undo(&output, before) }
        group = group << 6 | UInt32(value)
      }
      filled += 1
      guard filled == 4 else { continue }
      guard padding <= 2 else { return undo(&output, before) }
      output.append(UInt8(truncatingIfNeeded: group >> 16))
      if padding < 2 { output.append(UInt8(truncatingIfNeeded: group >> 8)) }
      if padding < 1 { output.append(UInt8(truncatingIfNeeded: group)) }
      group = 0
      filled = 0
      // Padding ends the text: anything after it finds `padding` still set.
    }
    return true
  }

  private static func undo(_ output: inout [UInt8], _ count: Int) -> Bool {
    output.removeLast(output.count - count)
    return false
  }

  private static let table: [UInt8] = {
    var table = [UInt8](repeating: 255, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, letter) in alphabet.utf8.enumerated() { table[Int(letter)] = UInt8(value) }
    return table
  }()
}
