/// Why the state could not be read or written, and what to do about it.
package struct StateError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// There is a row of these values already.
    case conflict(StateKey)
    /// A rule of the schema says no: a check, a value that must not be missing, a row that must not be changed.
    case refused
    /// What was given cannot be kept, or what was read is of another kind than was asked for.
    case value
    /// Others wrote the same again and again: the same may succeed in a moment.
    case busy
    /// The store does not answer, or not now: the same may succeed later.
    case unavailable
    /// The store went away while something was being kept, and whether it was is not known: whoever does the same again has to look
    /// before, or do it so that twice is as good as once.
    case unknown
    /// Something else, in the engine's own words.
    case engine
  }

  package var kind: Kind
  package var description: String

  /// Whether the same may succeed in a while, and was not done: it can be done again as it is.
  package var isPassing: Bool { kind == .busy || kind == .unavailable }

  /// Whether it is about what was to be written, and not about who writes it where.
  package var isOfValues: Bool {
    switch kind {
    case .conflict, .refused, .value: true
    case .busy, .unavailable, .unknown, .engine: false
    }
  }

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// Columns of a table that no two rows have the same of. Names in lower case, since some engines fold them.
package struct StateKey: Sendable, Hashable, CustomStringConvertible {
  package let table: String
  package let columns: [String]
  package var description: String { "\(table)(\(columns.joined(separator: ", ")))" }

  package init(_ table: String, _ columns: [String]) {
    self.table = table.lowercased()
    self.columns = columns.map { $0.lowercased() }
  }
}
