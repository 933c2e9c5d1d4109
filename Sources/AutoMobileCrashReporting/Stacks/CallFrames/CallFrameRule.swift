/// How a caller's registers are had from a callee's, at one instruction.
struct CallFrameRow: Sendable, Equatable {
  /// The canonical frame address: what the stack pointer was before the call.
  enum Address: Sendable, Equatable {
    case unknown
    case register(Int, offset: Int64)
    /// A DWARF expression, as a range of the bytes that the row was made from.
    case expression(Range<Int>)
  }

  /// Where a register's value in the caller is.
  enum Rule: Sendable, Equatable {
    case unspecified
    /// Gone. For the return address: there is no caller.
    case undefined
    case same
    /// In memory at the frame address plus an offset.
    case offset(Int64)
    /// The frame address plus an offset itself.
    case valueOffset(Int64)
    case register(Int)
    /// In memory where an expression says.
    case expression(Range<Int>)
    /// An expression's value.
    case valueExpression(Range<Int>)
  }

  /// Registers beyond these (vectors, mostly) are of no use for walking a stack.
  static let registers = 34

  var address = Address.unknown
  private(set) var rules = [Rule](repeating: .unspecified, count: CallFrameRow.registers)

  subscript(register: Int) -> Rule {
    get { rules.indices.contains(register) ? rules[register] : .unspecified }
    set { if rules.indices.contains(register) { rules[register] = newValue } }
  }
}

/// What call-frame information says about one instruction.
struct CallFrameInformation: Sendable {
  var row: CallFrameRow
  /// The register whose caller's value is the return address.
  var returnAddress: Int
  /// The frame is one that the kernel made to call a signal handler: its return address is the interrupted
  /// instruction and not one behind a call.
  var isSignalFrame: Bool
  /// The bytes that the row's expressions are ranges of.
  var bytes: [UInt8]
}
