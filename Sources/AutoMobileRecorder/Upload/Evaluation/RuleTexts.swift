/// Bytes that rules look for in events.
///
/// Only a pointer, so that holding a rule against an event counts no references: that would take longer than to look.
// Sendable, since the bytes never change, and outlive it: they are the program's, or of the ``RuleTexts`` that stand beside the rules.
struct RuleText: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer

  /// - Parameter text: a literal of more than one character.
  init(_ text: StaticString) {
    bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  fileprivate init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
}

/// What the texts and conditions of some rules are kept in, for as long as these are there.
// Sendable, since it is filled before anybody else has it, and never changed.
final class RuleTexts: @unchecked Sendable {
  private var kept: [UnsafeMutableRawPointer] = []

  deinit { for memory in kept { memory.deallocate() } }

  @inline(never)
  func keep(_ text: String) -> RuleText {
    let utf8 = Array(text.utf8)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, utf8.count), alignment: 1)
    memory.copyBytes(from: utf8)
    if let start = memory.baseAddress { kept.append(start) }
    return RuleText(UnsafeRawBufferPointer(rebasing: memory[..<utf8.count]))
  }

  /// - Parameter values: of a type that holds nothing that would have to be let go.
  func keep<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeBufferPointer<Value> {
    let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(1, values.count))
    _ = memory.initialize(from: values)
    if let start = memory.baseAddress { kept.append(UnsafeMutableRawPointer(start)) }
    return UnsafeBufferPointer(rebasing: memory[..<values.count])
  }
}
