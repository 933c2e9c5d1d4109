/// Computes the expressions of call-frame information (DWARF 5, section 2.5), as procedure linkage tables and signal
/// trampolines have them.
///
/// The stack and the number of steps are limited, so no bytes make it spin.
struct DWARFExpression {
  let bytes: [UInt8]
  let registers: RegisterFile
  let stack: StackWindow

  private static let maximumSteps = 512
  private static let maximumDepth = 64

  /// - Parameter initial: what is on the expression's stack at the beginning.
  /// - Returns: nil when the expression makes no sense, or needs what is not known.
  func value(of range: Range<Int>, initial: UInt64? = nil) -> UInt64? {
    var reader = ByteReader(bytes, range)
    var values = initial.map { [$0] } ?? []
    for _ in 0..<Self.maximumSteps {
      if reader.isAtEnd { return values.last }
      guard values.count <= Self.maximumDepth, let operation = reader.byte(),
        step(operation, &reader, &values, start: range.lowerBound)
      else { return nil }
    }
    return nil
  }

  private func step(
    _ operation: UInt8, _ reader: inout ByteReader, _ values: inout [UInt64], start: Int
  ) -> Bool {
    switch operation {
    case 0x30...0x4F: values.append(UInt64(operation &- 0x30))
    case 0x70...0x8F:
      guard let offset = reader.sleb128(), let value = registers[Int(operation &- 0x70)] else { return false }
      values.append(value &+ UInt64(bitPattern: offset))
    case 0x92:
      guard let register = reader.uleb128().flatMap(Int.init(exactly:)), let offset = reader.sleb128(),
        let value = registers[register]
      else { return false }
      values.append(value &+ UInt64(bitPattern: offset))
    case 0x03, 0x08...0x11: return constant(operation, &reader, &values)
    case 0x06, 0x94:
      guard let size = operation == 0x06 ? 8 : reader.byte().map(Int.init), let address = values.popLast(),
        let value = stack.number(at: address, size: size)
      else { return false }
      values.append(value)
    case 0x12...0x16: return rearrange(operation, &reader, &values)
    case 0x19, 0x1F, 0x20, 0x23: return unary(operation, &reader, &values)
    case 0x1A...0x1E, 0x21, 0x22, 0x24...0x27, 0x29...0x2E: return binary(operation, &values)
    case 0x28, 0x2F:
      guard let distance = reader.number(Int16.self) else { return false }
      if operation == 0x28 {
        guard let condition = values.popLast() else { return false }
        if condition == 0 { return true }
      }
      let target = reader.offset + Int(distance)
      return target >= start && reader.seek(target)
    case 0x96: break
    default: return false
    }
    return true
  }

  private func constant(_ operation: UInt8, _ reader: inout ByteReader, _ values: inout [UInt64]) -> Bool {
    let value: UInt64? =
      switch operation {
      case 0x03, 0x0E, 0x0F: reader.u64()
      case 0x08: reader.byte().map(UInt64.init)
      case 0x09: reader.number(Int8.self).map { UInt64(bitPattern: Int64($0)) }
      case 0x0A: reader.u16().map(UInt64.init)
      case 0x0B: reader.number(Int16.self).map { UInt64(bitPattern: Int64($0)) }
      case 0x0C: reader.u32().map(UInt64.init)
      case 0x0D: reader.number(Int32.self).map { UInt64(bitPattern: Int64($0)) }
      case 0x10: reader.uleb128()
      case 0x11: reader.sleb128().map(UInt64.init(bitPattern:))
      default: nil
      }
    return value.map { values.append($0) } != nil
  }

  private func rearrange(_ operation: UInt8, _ reader: inout ByteReader, _ values: inout [UInt64]) -> Bool {
    let depth: Int
    switch operation {
    case 0x12: depth = 0
    case 0x13: return values.popLast() != nil
    case 0x14: depth = 1
    case 0x15:
      guard let index = reader.byte() else { return false }
      depth = Int(index)
    default:
      guard values.count >= 2 else { return false }
      values.swapAt(values.count - 1, values.count - 2)
      return true
    }
    guard depth < values.count else { return false }
    values.append(values[values.count - 1 - depth])
    return true
  }

  private func unary(_ operation: UInt8, _ reader: inout ByteReader, _ values: inout [UInt64]) -> Bool {
    guard let value = values.popLast() else { return false }
    switch operation {
    case 0x19: values.append(Int64(bitPattern: value).magnitude)
    case 0x1F: values.append(0 &- value)
    case 0x20: values.append(~value)
    default:
      guard let more = reader.uleb128() else { return false }
      values.append(value &+ more)
    }
    return true
  }

  private func binary(_ operation: UInt8, _ values: inout [UInt64]) -> Bool {
    guard let right = values.popLast(), let left = values.popLast() else { return false }
    let (a, b) = (Int64(bitPattern: left), Int64(bitPattern: right))
    let result: UInt64
    switch operation {
    case 0x1A: result = left & right
    case 0x1B:
      guard b != 0 else { return false }
      result = UInt64(bitPattern: a.dividedReportingOverflow(by: b).partialValue)
    case 0x1C: result = left &- right
    case 0x1D:
      // bounded: not by 0.
      guard right != 0 else { return false }
      result = left % right
    case 0x1E: result = left &* right
    case 0x21: result = left | right
    case 0x22: result = left &+ right
    case 0x24: result = right < 64 ? left << right : 0
    case 0x25: result = right < 64 ? left >> right : 0
    case 0x26: result = UInt64(bitPattern: a >> min(right, 63))
    case 0x27: result = left ^ right
    case 0x29: result = a == b ? 1 : 0
    case 0x2A: result = a >= b ? 1 : 0
    case 0x2B: result = a > b ? 1 : 0
    case 0x2C: result = a <= b ? 1 : 0
    case 0x2D: result = a < b ? 1 : 0
    default: result = a != b ? 1 : 0
    }
    values.append(result)
    return true
  }
}
