/// Numbers, without a heap allocation.
extension EventJSONWriter {
  /// Writes an integer in decimal.
  mutating func value(_ number: Int64) {
    guard reserve(1 + Self.integerRoom) else { return }
    if number < 0 {
      cursor.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      advance(1)
    }
    digits(number.magnitude)
  }

  mutating func value(_ number: UInt64) {
    guard reserve(Self.integerRoom) else { return }
    digits(number)
  }

  /// Three blocks of eight digits.
  private static var integerRoom: Int { 24 }

  /// Writes the digits in blocks of eight. There must be ``integerRoom``.
  @inline(__always)
  private mutating func digits(_ number: UInt64) {
    if number < 10 {
      cursor.storeBytes(of: UInt8(ascii: "0") | UInt8(truncatingIfNeeded: number), as: UInt8.self)
      return advance(1)
    }
    let block: UInt64 = 100_000_000
    if number < block { return leadingBlock(number) }
    let high = number / block
    if high < block {
      leadingBlock(high)
    } else {
      leadingBlock(high / block)
      wholeBlock(high % block)
    }
    wholeBlock(number % block)
  }

  /// Writes eight digits, with zeros before the number.
  @inline(__always)
  private mutating func wholeBlock(_ number: UInt64) {
    cursor.storeBytes(of: (decimals(number) | 0x3030_3030_3030_3030).littleEndian, as: UInt64.self)
    advance(8)
  }

  /// Writes up to eight digits, without zeros before the number.
  @inline(__always)
  private mutating func leadingBlock(_ number: UInt64) {
    let digits = decimals(number)
    let zeros = min(digits.trailingZeroBitCount / 8, 7)
    let text = (digits | 0x3030_3030_3030_3030) >> UInt64(truncatingIfNeeded: zeros &* 8)
    cursor.storeBytes(of: text.littleEndian, as: UInt64.self)
    advance(8 &- zeros)
  }

  /// The eight decimal digits of a number below 100 000 000, one a byte, the first in the lowest byte.
  ///
  /// Halves, quarters and eighths are each divided at once, in lanes of one word; dividing by 100 and by 10 is
  /// multiplying by 10486/2²⁰ and 103/2¹⁰, which is exact in these ranges.
  @inline(__always)
  private func decimals(_ number: UInt64) -> UInt64 {
    let halves = number / 10_000 | (number % 10_000) << 32
    let hundreds = (halves &* 10_486) >> 20 & 0x0000_007F_0000_007F
    let quarters = hundreds | (halves &- hundreds &* 100) << 16
    let tens = (quarters &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (quarters &- tens &* 10) << 8
  }

  /// Writes the shortest decimal that reads back as the same number; null when it is not finite, since JSON has no name
  /// for that.
  mutating func value(_ number: Double) {
    guard number.isFinite else { return raw("null") }
    guard reserve(DigitSink.capacity) else { return }
    var sink = DigitSink(target: cursor)
    number.write(to: &sink)
    advance(sink.count)
  }
}

/// Takes the digits of a floating-point number where the standard library has them, before it makes a string of them.
private struct DigitSink: TextOutputStream {
  /// The longest is like `-2.2250738585072014e-308`.
  static let capacity = 32

  let target: UnsafeMutableRawPointer
  var count = 0

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { _writeASCII($0) }
  }

  /// The standard library calls this one for numbers. Were it to stop that, `write` would do the same, with a string.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    guard let source = buffer.baseAddress, buffer.count <= DigitSink.capacity - count else { return }
    (target + count).copyMemory(from: source, byteCount: buffer.count)
    count += buffer.count
  }
}
