/// Numbers as spans have them, without a heap allocation.
extension EventJSONWriter {
  /// Writes a name of 16 hexadecimal digits.
  @inline(never)
  mutating func member(_ key: StaticString, hex number: UInt64) {
    self.key(key)
    raw("\"")
    hex(number)
    raw("\",")
  }

  /// Writes the names of a span and of its trace, in one go: every span has both.
  @inline(never)
  mutating func names(trace high: UInt64, _ low: UInt64, span: UInt64) {
    raw(#""traceId":""#)
    hex(high)
    hex(low)
    raw(#"","spanId":""#)
    hex(span)
    raw(#"","#)
  }

  @inline(__always)
  private mutating func hex(_ number: UInt64) {
    guard reserve(16) else { return }
    cursor.storeBytes(of: SpanNames.digits(UInt32(truncatingIfNeeded: number >> 32)), as: UInt64.self)
    cursor.storeBytes(of: SpanNames.digits(UInt32(truncatingIfNeeded: number)), toByteOffset: 8, as: UInt64.self)
    advance(16)
  }

  /// Writes so many thousandths as a number with three decimals, or none.
  @inline(never)
  mutating func member(_ key: StaticString, thousandths all: UInt64) {
    self.key(key)
    value(all / 1000)
    let rest = all % 1000
    if rest > 0, reserve(4) {
      cursor.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
      cursor.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 100), toByteOffset: 1, as: UInt8.self)
      cursor.storeBytes(
        of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / 10 % 10), toByteOffset: 2, as: UInt8.self)
      cursor.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10), toByteOffset: 3, as: UInt8.self)
      advance(4)
    }
    comma()
  }
}
