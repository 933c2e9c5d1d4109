import AutoMobileSupport

/// The numbers by which traces and spans are told apart, and how they are written.
enum SpanNames {
  /// Begins where chance has put it, and goes on by steps that never meet again within 2⁶⁴ of them. Asking the system for each would
  /// take longer than recording the span.
  private static let state = AtomicWord(SystemRandomNumberGenerator.one())

  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// A new one, never 0.
  static func next() -> UInt64 { mixed(state.add(step)) }

  /// Three at once: for the first span of a trace.
  static func three() -> (UInt64, UInt64, UInt64) {
    let first = state.add(step &* 3)
    return (mixed(first), mixed(first &+ step), mixed(first &+ step &* 2))
  }

  /// So that whoever takes some of its bits for chance gets chance (splitmix64).
  private static func mixed(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return mixed == 0 ? 1 : mixed
  }

  // MARK: As text

  /// 16 digits.
  static func text(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { text in
      let halves = (digits(UInt32(truncatingIfNeeded: number >> 32)), digits(UInt32(truncatingIfNeeded: number)))
      withUnsafeBytes(of: halves) { UnsafeMutableRawBufferPointer(text).copyMemory(from: $0) }
      return 16
    }
  }

  /// The eight hexadecimal digits of a number, as they stand in memory: the first in the lowest byte.
  @inline(__always)
  static func digits(_ number: UInt32) -> UInt64 {
    var nibbles = UInt64(number)
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let letters = ((nibbles &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return (nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39).bigEndian
  }

  /// `count` numbers (1 or 2) of 16 digits each, the last one second; nil when it is anything else.
  static func numbers(_ text: some Collection<UInt8>, count: Int) -> (UInt64, UInt64)? {
    guard text.count == 16 &* count else { return nil }
    var result: (UInt64, UInt64) = (0, 0)
    for character in text {
      guard let digit = digit(character) else { return nil }
      result = (result.0 << 4 | result.1 >> 60, result.1 << 4 | UInt64(digit))
    }
    return result
  }

  static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = digit(high), let low = digit(low) else { return nil }
    return high << 4 | low
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character &- UInt8(ascii: "a") &+ 10
    default: nil
    }
  }
}

extension SystemRandomNumberGenerator {
  fileprivate static func one() -> UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }
}
