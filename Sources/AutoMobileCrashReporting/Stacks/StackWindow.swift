/// Copies of pieces of a thread's stack, which are all that a walk reads of it.
struct StackWindow: Sendable {
  struct Piece: Sendable {
    var address: UInt64
    var bytes: [UInt8]
  }

  private let pieces: [Piece]

  init(address: UInt64, bytes: [UInt8]) { self.init([Piece(address: address, bytes: bytes)]) }

  /// - Parameter pieces: more than one when the thread was on another stack, as a signal handler may be.
  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// Whether an address is above everything that was copied: the stack goes on there, and nobody knows how.
  func ends(below address: UInt64) -> Bool {
    pieces.allSatisfy { address >= $0.address && address &- $0.address >= UInt64(max(0, $0.bytes.count - 7)) }
  }

  /// The word at an address; nil outside the window.
  func word(at address: UInt64) -> UInt64? { load(address, UInt64.self) }

  /// A number of 1, 2, 4 or 8 bytes.
  func number(at address: UInt64, size: Int) -> UInt64? {
    switch size {
    case 1: load(address, UInt8.self).map(UInt64.init)
    case 2: load(address, UInt16.self).map(UInt64.init)
    case 4: load(address, UInt32.self).map(UInt64.init)
    case 8: load(address, UInt64.self)
    default: nil
    }
  }

  private func load<Number: FixedWidthInteger>(_ address: UInt64, _: Number.Type) -> Number? {
    let size = UInt64(MemoryLayout<Number>.size)
    for piece in pieces where address >= piece.address {
      let offset = address &- piece.address
      guard UInt64(piece.bytes.count) >= size, offset <= UInt64(piece.bytes.count) &- size else { continue }
      return piece.bytes.withUnsafeBytes {
        Number(littleEndian: $0.loadUnaligned(fromByteOffset: Int(clamping: offset), as: Number.self))
      }
    }
    return nil
  }
}
