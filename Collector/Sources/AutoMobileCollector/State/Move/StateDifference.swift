import AutoMobileState

/// A row that is not the same in two states. It says which, and in what, and never what is in it: that may be secret.
package struct StateDifference: Sendable, Hashable, CustomStringConvertible {
  package enum What: Sendable, Hashable {
    /// It was not moved, or removed since.
    case missing
    /// It is where it was moved to, and nowhere else.
    case added
    /// The columns that differ.
    case changed([String])
  }

  package let table: String
  /// What names the row: bytes by their first ones.
  package let key: String
  package let what: What

  package var description: String {
    switch what {
    case .missing: "\(table) \(key): is missing"
    case .added: "\(table) \(key): is there, and was not before"
    case .changed(let columns): "\(table) \(key): \(columns.joined(separator: ", ")) differ"
    }
  }

  init(_ table: MovedTable, _ row: StateRow, _ what: What) {
    (self.table, self.what) = (table.name, what)
    key = Self.key(Array(row.values.prefix(table.keys)))
  }

  static func name(_ table: String, _ key: [StateValue]) -> String { key.isEmpty ? table : "\(table) \(Self.key(key))" }

  private static func key(_ values: [StateValue]) -> String {
    values.map { value in
      switch value {
      case .null: "-"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): "“\(text.prefix(100))”"
      case .bytes(let bytes): bytes.prefix(4).hexText + "…"
      }
    }.joined(separator: " ")
  }
}

extension StateValue {
  /// By bytes: two texts that Swift takes for the same may be different ones.
  func isSame(as other: StateValue) -> Bool {
    switch (self, other) {
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    default: self == other
    }
  }

  /// As databases order keys.
  func precedes(_ other: StateValue) -> Bool {
    switch (self, other) {
    case (.integer(let one), .integer(let other)): one < other
    case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
    case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
    default: false
    }
  }
}
