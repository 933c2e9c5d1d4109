/// A processor's registers, by the numbers that DWARF gives them.
enum Architecture: String, Sendable, Codable {
  case x86_64
  case arm64

  /// The one that this code runs on; for another one, CAutoMobile does not compile.
  #if arch(x86_64)
  static let current = Architecture.x86_64
  #else
  static let current = Architecture.arm64
  #endif

  /// In DWARF's order, the program counter last.
  var registerNames: [String] {
    switch self {
    case .x86_64:
      ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp"] + (8..<16).map { "r\($0)" } + ["rip"]
    case .arm64: (0..<29).map { "x\($0)" } + ["fp", "lr", "sp", "pc"]
    }
  }

  var registerCount: Int { self == .x86_64 ? 17 : 33 }
  var programCounter: Int { registerCount - 1 }
  var stackPointer: Int { self == .x86_64 ? 7 : 31 }
  var framePointer: Int { self == .x86_64 ? 6 : 29 }
  /// Where a call leaves its return address; nil where that is the stack.
  var linkRegister: Int? { self == .x86_64 ? nil : 30 }

  /// A code address without the signature that pointer authentication puts into its upper bits.
  func stripped(_ address: UInt64) -> UInt64 {
    guard self == .arm64 else { return address }
    #if os(macOS)
    return address & 0x0000_7FFF_FFFF_FFFF
    #elseif canImport(Darwin)
    return address & 0x0000_007F_FFFF_FFFF
    #else
    return address & 0x0000_FFFF_FFFF_FFFF
    #endif
  }
}
