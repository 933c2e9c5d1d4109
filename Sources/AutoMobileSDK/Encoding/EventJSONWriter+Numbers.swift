/// Numbers, without a heap allocation.
extension EventJSONWriter {
  /// Writes an integer in decimal.
  mutating func value(_ number: Int64) {
    guard reserve(20) else { return }
    if number < 0 {
      cursor.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      advance(1)
    }
    digits(number.magnitude)
  }

  mutating func value(_ number: UInt64) {
    guard reserve(20) else { return }
    digits(number)
  }

  /// Writes the digits from the last to the first, two at a time. There must be room for twenty.
  private mutating func digits(_ number: UInt64) {
    let pairs: StaticString = """
      0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
      5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
      """
    let table = UnsafeRawPointer(pairs.utf8Start)
    let count = decimalDigits(number)
    var index = count
    var rest = number
    while rest >= 100 {
      let pair = Int(truncatingIfNeeded: rest % 100)
      rest /= 100
      index &-= 2
      cursor.storeBytes(
        of: table.loadUnaligned(fromByteOffset: pair &* 2, as: UInt16.self), toByteOffset: index, as: UInt16.self)
    }
    if rest >= 10 {
      let pair = table.loadUnaligned(fromByteOffset: Int(truncatingIfNeeded: rest) &* 2, as: UInt16.self)
      cursor.storeBytes(of: pair, as: UInt16.self)
    } else {
      cursor.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    }
    advance(count)
  }

  private func decimalDigits(_ number: UInt64) -> Int {
    if number >= 100_000_000 { return 8 &+ decimalDigits(number / 100_000_000) }
    if number >= 10_000 { return number >= 1_000_000 ? (number >= 10_000_000 ? 8 : 7) : (number >= 100_000 ? 6 : 5) }
    return number >= 100 ? (number >= 1000 ? 4 : 3) : (number >= 10 ? 2 : 1)
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
