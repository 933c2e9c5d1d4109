/// How a pointer is written in `.eh_frame` and in its table (the Linux Standard Base, "DWARF Exception Header Encoding").
struct PointerEncoding: Sendable, Equatable {
  let rawValue: UInt8

  static let omitted: UInt8 = 0xFF

  /// What relative pointers are relative to.
  struct Bases {
    /// The address at which the reader's bytes begin.
    var bytes: UInt64
    var data: UInt64 = 0
  }

  /// Reads a pointer; nil when there is none, or when it is of a kind that code addresses are not written in.
  func read(_ reader: inout ByteReader, _ bases: Bases) -> UInt64? {
    guard rawValue != Self.omitted, rawValue & 0x80 == 0 else { return nil }
    let place = bases.bytes &+ UInt64(clamping: reader.offset)
    guard let value = number(&reader) else { return nil }
    switch rawValue & 0x70 {
    case 0x00: return value
    case 0x10: return value &+ place
    case 0x30: return value &+ bases.data
    default: return nil
    }
  }

  /// Reads the same number as a length: without any base.
  func readLength(_ reader: inout ByteReader) -> UInt64? { number(&reader) }

  private func number(_ reader: inout ByteReader) -> UInt64? {
    switch rawValue & 0x0F {
    case 0x00, 0x04, 0x0C: reader.u64()
    case 0x01: reader.uleb128()
    case 0x02: reader.u16().map(UInt64.init)
    case 0x03: reader.u32().map(UInt64.init)
    case 0x09: reader.sleb128().map(UInt64.init(bitPattern:))
    case 0x0A: reader.number(Int16.self).map { UInt64(bitPattern: Int64($0)) }
    case 0x0B: reader.number(Int32.self).map { UInt64(bitPattern: Int64($0)) }
    default: nil
    }
  }
}
