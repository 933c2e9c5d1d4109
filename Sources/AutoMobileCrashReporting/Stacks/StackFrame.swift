/// One call on a stack.
struct StackFrame: Sendable, Equatable {
  /// How the frame was found, from the surest to the least sure.
  enum Trust: String, Sendable, Codable {
    /// A thread's own program counter, or the one that a signal interrupted.
    case context
    /// By the compiler's call-frame information.
    case cfi
    /// By the chain of frame pointers.
    case framePointer = "fp"
    /// It looks like a return address, and lay on the stack.
    case scan
  }

  var address: UInt64
  var trust: Trust
  /// The image that holds the address, as an index into the ``ImageTable``.
  var image: Int?
  /// The function's name as the linker knows it.
  var symbol: String?
  /// How far the address lies behind the function's beginning, in bytes.
  var symbolOffset: UInt64?

  init(address: UInt64, trust: Trust, image: Int? = nil) {
    self.address = address
    self.trust = trust
    self.image = image
  }

  /// The address of an instruction that belongs to the call: a return address is behind it, and may already be in the
  /// next function.
  var instruction: UInt64 { trust == .context || address == 0 ? address : address &- 1 }
}
