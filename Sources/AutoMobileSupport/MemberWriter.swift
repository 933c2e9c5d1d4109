/// Writes an object's members, as an `encode(to:)` that the compiler derives does it: what is nil is left out. See ``MemberReader``.
package final class MemberWriter {
  private var container: KeyedEncodingContainer<MemberName>
  private var error: (any Error)?

  package init(_ encoder: any Encoder) {
    container = encoder.container(keyedBy: MemberName.self)
  }

  /// - Throws: the first error; nothing was written since.
  package func end() throws {
    if let error { throw error }
  }

  private func write(_ name: String, _ body: (inout KeyedEncodingContainer<MemberName>, MemberName) throws -> Void) {
    guard error == nil else { return }
    do {
      try body(&container, MemberName(stringValue: name))
    } catch {
      self.error = error
    }
  }

  package func add(_ name: String, _ value: String?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: Int?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: Int64?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: UInt64?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: Double?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: Bool?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
  package func add(_ name: String, _ value: [String: String]?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }

  /// Anything else.
  @inline(never)
  package func add<Value: Encodable>(_ name: String, _ value: Value?) {
    if let value { write(name) { try $0.encode(value, forKey: $1) } }
  }
}
