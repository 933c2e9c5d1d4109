/// FNV-1a of 64 bits: a hash that is the same in every process, for names that are compared and for choices that must come out
/// the same again. Nothing that must withstand somebody who makes collisions.
///
///     FNV1a("com.example.app").value
@usableFromInline
package struct FNV1a: Sendable {
  @usableFromInline package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  @usableFromInline package init() {}

  @inlinable package init(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

  /// Of the text's UTF-8. No generic function: a process that starts waits for the runtime to find out what it is made of.
  package init(_ text: String) { for byte in text.utf8 { add(byte) } }

  @inlinable package mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
