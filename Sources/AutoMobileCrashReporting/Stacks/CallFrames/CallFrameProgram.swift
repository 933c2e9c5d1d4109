/// Runs the instructions of call-frame information up to one address (DWARF 5, section 6.4).
///
/// Every instruction is at least a byte and none jumps, so the work is bounded by the entry's length.
struct CallFrameProgram {
  private(set) var row = CallFrameRow()
  private let shared: CommonInformationEntry
  private let bytes: [UInt8]
  private let target: UInt64
  private var location: UInt64
  /// What the shared instructions made: what `restore` goes back to.
  private var initial = CallFrameRow()
  private var remembered: [CallFrameRow] = []

  private static let maximumRemembered = 32

  /// - Parameters:
  ///   - start: where the function begins.
  ///   - address: the instruction that the row is for.
  init(_ shared: CommonInformationEntry, bytes: [UInt8], start: UInt64, address: UInt64) {
    self.shared = shared
    self.bytes = bytes
    target = address
    location = start
  }

  mutating func beginFunction() { initial = row }

  /// - Returns: false when the instructions make no sense.
  mutating func run(_ range: Range<Int>) -> Bool {
    var reader = ByteReader(bytes, range)
    while !reader.isAtEnd, location <= target {
      guard let instruction = reader.byte(), step(instruction, &reader) else { return false }
    }
    return true
  }

  private mutating func step(_ instruction: UInt8, _ reader: inout ByteReader) -> Bool {
    let low = Int(instruction & 0x3F)
    switch instruction & 0xC0 {
    case 0x40: return advance(UInt64(clamping: low))
    case 0x80: return reader.uleb128().map { row[low] = .offset(factored($0)) } != nil
    case 0xC0:
      row[low] = initial[low]
      return true
    default: return extended(instruction, &reader)
    }
  }

  private mutating func extended(_ instruction: UInt8, _ reader: inout ByteReader) -> Bool {
    switch instruction {
    case 0x00: return true
    case 0x02: return reader.byte().map { advance(UInt64($0)) } ?? false
    case 0x03: return reader.u16().map { advance(UInt64($0)) } ?? false
    case 0x04: return reader.u32().map { advance(UInt64($0)) } ?? false
    case 0x05: return set(&reader) { .offset($0) }
    case 0x06: return register(&reader).map { row[$0] = initial[$0] } != nil
    case 0x07: return register(&reader).map { row[$0] = .undefined } != nil
    case 0x08: return register(&reader).map { row[$0] = .same } != nil
    case 0x09:
      guard let register = register(&reader), let other = self.register(&reader) else { return false }
      row[register] = .register(other)
    case 0x0A:
      guard remembered.count < Self.maximumRemembered else { return false }
      remembered.append(row)
    case 0x0B:
      guard let last = remembered.popLast() else { return false }
      row = last
    case 0x0C, 0x12:
      guard let register = register(&reader) else { return false }
      return offset(instruction == 0x12, &reader).map { row.address = .register(register, offset: $0) } != nil
    case 0x0D:
      guard let register = register(&reader), case .register(_, let offset) = row.address else { return false }
      row.address = .register(register, offset: offset)
    case 0x0E, 0x13:
      guard case .register(let register, _) = row.address else { return false }
      return offset(instruction == 0x13, &reader).map { row.address = .register(register, offset: $0) } != nil
    case 0x0F: return block(&reader).map { row.address = .expression($0) } != nil
    case 0x10, 0x16:
      guard let register = register(&reader), let block = block(&reader) else { return false }
      row[register] = instruction == 0x10 ? .expression(block) : .valueExpression(block)
    case 0x11: return set(&reader, signed: true) { .offset($0) }
    case 0x14: return set(&reader) { .valueOffset($0) }
    case 0x15: return set(&reader, signed: true) { .valueOffset($0) }
    // On arm64: the return address is signed from here on, or no more. We strip what is a signature in any case.
    case 0x2D: return true
    // The size of the arguments on the stack: of no interest here.
    case 0x2E: return reader.uleb128() != nil
    default: return false
    }
    return true
  }

  private mutating func advance(_ steps: UInt64) -> Bool {
    let (distance, overflow) = steps.multipliedReportingOverflow(by: shared.codeAlignment)
    let (next, overflow2) = location.addingReportingOverflow(distance)
    location = next
    return !overflow && !overflow2
  }

  private func register(_ reader: inout ByteReader) -> Int? { reader.uleb128().flatMap(Int.init(exactly:)) }

  private func block(_ reader: inout ByteReader) -> Range<Int>? {
    reader.uleb128().flatMap { reader.take($0) }
  }

  private func factored(_ value: UInt64) -> Int64 { Int64(bitPattern: value) &* shared.dataAlignment }

  /// The offset of the frame address: a plain number, or one in units of the data alignment.
  private func offset(_ isFactored: Bool, _ reader: inout ByteReader) -> Int64? {
    isFactored ? reader.sleb128().map { $0 &* shared.dataAlignment } : reader.uleb128().map(Int64.init(bitPattern:))
  }

  private mutating func set(
    _ reader: inout ByteReader, signed: Bool = false, _ rule: (Int64) -> CallFrameRow.Rule
  ) -> Bool {
    guard let register = register(&reader),
      let value = signed ? reader.sleb128().map({ $0 &* shared.dataAlignment }) : reader.uleb128().map(factored)
    else { return false }
    row[register] = rule(value)
    return true
  }
}
