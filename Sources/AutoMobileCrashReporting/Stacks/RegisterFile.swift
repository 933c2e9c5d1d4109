/// A thread's registers at one place of its stack. Those that nobody saved are not known.
struct RegisterFile: Sendable, Equatable {
  let architecture: Architecture
  private var values: [UInt64]
  /// One bit a register.
  private var known: UInt64

  /// - Parameters:
  ///   - values: in DWARF's order; what is missing is not known.
  ///   - known: which of them are, one bit a register.
  init(_ architecture: Architecture, _ values: [UInt64] = [], known: UInt64 = .max) {
    self.architecture = architecture
    let count = architecture.registerCount
    self.values = Array((values + [UInt64](repeating: 0, count: count)).prefix(count))
    self.known = known & ((1 << UInt64(clamping: min(values.count, count))) &- 1)
  }

  /// Registers by DWARF number; those that stack walking does not need (vectors, for example) are never known.
  subscript(register: Int) -> UInt64? {
    get { values.indices.contains(register) && known >> UInt64(clamping: register) & 1 == 1 ? values[register] : nil }
    set {
      guard values.indices.contains(register) else { return }
      values[register] = newValue ?? 0
      if newValue == nil {
        known &= ~(1 << UInt64(clamping: register))
      } else {
        known |= 1 << UInt64(clamping: register)
      }
    }
  }

  var programCounter: UInt64? {
    get { self[architecture.programCounter] }
    set { self[architecture.programCounter] = newValue }
  }
  var stackPointer: UInt64? {
    get { self[architecture.stackPointer] }
    set { self[architecture.stackPointer] = newValue }
  }
  var framePointer: UInt64? {
    get { self[architecture.framePointer] }
    set { self[architecture.framePointer] = newValue }
  }
}
