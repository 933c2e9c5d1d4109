import Foundation

/// A value as all stores have it. Truth is 0 or 1.
package enum StateValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// What it is, for people.
  var kind: String {
    switch self {
    case .null: "nothing"
    case .integer: "a whole number"
    case .real: "a number"
    case .text: "a text"
    case .bytes: "bytes"
    }
  }
}

/// What can be put into a statement and read from a row.
package protocol StateConvertible {
  var stateValue: StateValue { get }

  /// Nil when the value is of another kind.
  init?(stateValue: StateValue)
}

extension StateValue: StateConvertible {
  package var stateValue: StateValue { self }
  package init?(stateValue: StateValue) { self = stateValue }
}

extension Int64: StateConvertible {
  package var stateValue: StateValue { .integer(self) }
  package init?(stateValue: StateValue) {
    guard case .integer(let value) = stateValue else { return nil }
    self = value
  }
}

extension Int: StateConvertible {
  package var stateValue: StateValue { .integer(Int64(self)) }
  package init?(stateValue: StateValue) {
    guard case .integer(let value) = stateValue else { return nil }
    self.init(exactly: value)
  }
}

extension Bool: StateConvertible {
  package var stateValue: StateValue { .integer(self ? 1 : 0) }
  package init?(stateValue: StateValue) {
    guard case .integer(let value) = stateValue else { return nil }
    self = value != 0
  }
}

extension Double: StateConvertible {
  package var stateValue: StateValue { .real(self) }
  package init?(stateValue: StateValue) {
    switch stateValue {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: return nil
    }
  }
}

extension String: StateConvertible {
  package var stateValue: StateValue { .text(self) }
  package init?(stateValue: StateValue) {
    guard case .text(let value) = stateValue else { return nil }
    self = value
  }
}

extension [UInt8]: StateConvertible {
  package var stateValue: StateValue { .bytes(self) }
  package init?(stateValue: StateValue) {
    guard case .bytes(let value) = stateValue else { return nil }
    self = value
  }
}

extension Data: StateConvertible {
  package var stateValue: StateValue { .bytes(Array(self)) }
  package init?(stateValue: StateValue) {
    guard case .bytes(let value) = stateValue else { return nil }
    self.init(value)
  }
}

extension Optional: StateConvertible where Wrapped: StateConvertible {
  package var stateValue: StateValue { self?.stateValue ?? .null }
  package init?(stateValue: StateValue) {
    if case .null = stateValue {
      self = .none
    } else {
      guard let value = Wrapped(stateValue: stateValue) else { return nil }
      self = .some(value)
    }
  }
}
