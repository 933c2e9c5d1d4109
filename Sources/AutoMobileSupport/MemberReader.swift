/// A member's name, one type for everything that is read and written by hand. Each enumeration of `CodingKeys` would bring five
/// conformances, and containers of its own.
package struct MemberName: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

/// Reads an object's members, as an `init(from:)` that the compiler derives does it, in a fraction of the code: nothing of it is generic
/// where it is called, and the first error is kept until the end, so that nothing half done has to be cleaned up in between.
///
///     let members = try MemberReader(decoder)
///     url = members.value("url")
///     try members.end()
package final class MemberReader {
  private let container: KeyedDecodingContainer<MemberName>
  private var error: (any Error)?

  package init(_ decoder: any Decoder) throws {
    container = try decoder.container(keyedBy: MemberName.self)
  }

  /// - Throws: the first error; what was read since is not to be used.
  package func end() throws {
    if let error { throw error }
  }

  /// Remembers what `body` throws; what is not there and may be absent is nil.
  private func read<Value>(
    _ name: String, or fallback: Value, _ body: (KeyedDecodingContainer<MemberName>, MemberName) throws -> Value
  ) -> Value {
    guard error == nil else { return fallback }
    do {
      return try body(container, MemberName(stringValue: name))
    } catch {
      self.error = error
      return fallback
    }
  }

  package func value(_ name: String) -> String { read(name, or: "") { try $0.decode(String.self, forKey: $1) } }
  package func value(_ name: String) -> Int { read(name, or: 0) { try $0.decode(Int.self, forKey: $1) } }
  package func value(_ name: String) -> Int64 { read(name, or: 0) { try $0.decode(Int64.self, forKey: $1) } }
  package func value(_ name: String) -> UInt64 { read(name, or: 0) { try $0.decode(UInt64.self, forKey: $1) } }
  package func value(_ name: String) -> Double { read(name, or: 0) { try $0.decode(Double.self, forKey: $1) } }
  package func value(_ name: String) -> Bool { read(name, or: false) { try $0.decode(Bool.self, forKey: $1) } }
  package func value(_ name: String) -> [String: String] {
    read(name, or: [:]) { try $0.decode([String: String].self, forKey: $1) }
  }

  package func value(_ name: String) -> String? {
    read(name, or: nil) { try $0.decodeIfPresent(String.self, forKey: $1) }
  }
  package func value(_ name: String) -> Int? { read(name, or: nil) { try $0.decodeIfPresent(Int.self, forKey: $1) } }
  package func value(_ name: String) -> Int64? {
    read(name, or: nil) { try $0.decodeIfPresent(Int64.self, forKey: $1) }
  }
  package func value(_ name: String) -> UInt64? {
    read(name, or: nil) { try $0.decodeIfPresent(UInt64.self, forKey: $1) }
  }
  package func value(_ name: String) -> Double? {
    read(name, or: nil) { try $0.decodeIfPresent(Double.self, forKey: $1) }
  }
  package func value(_ name: String) -> Bool? {
    read(name, or: nil) { try $0.decodeIfPresent(Bool.self, forKey: $1) }
  }
  package func value(_ name: String) -> [String: String]? {
    read(name, or: nil) { try $0.decodeIfPresent([String: String].self, forKey: $1) }
  }

  /// Anything else.
  @inline(never)
  package func value<Value: Decodable>(_ name: String, or fallback: Value) -> Value {
    read(name, or: fallback) { try $0.decode(Value.self, forKey: $1) }
  }

  /// Anything else that may be absent.
  @inline(never)
  package func value<Value: Decodable>(_ name: String) -> Value? {
    read(name, or: nil) { try $0.decodeIfPresent(Value.self, forKey: $1) }
  }

  /// Anything else that has nothing to stand in for it.
  @inline(never)
  package func required<Value: Decodable>(_ name: String) throws -> Value {
    try end()
    return try container.decode(Value.self, forKey: MemberName(stringValue: name))
  }
}
