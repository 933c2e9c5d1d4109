/// A row of an answer. Its values are read by their places, so that names that an engine folds do not matter.
package struct StateRow: Sendable, Hashable {
  package let values: [StateValue]

  package init(_ values: [StateValue]) { self.values = values }

  /// - Throws: ``StateError`` when there is no such column, or it is of another kind; nothing is a kind of its own, of optionals.
  package subscript<Value: StateConvertible>(_ column: Int) -> Value {
    get throws {
      guard values.indices.contains(column) else {
        throw StateError(.value, "a row of \(values.count) columns has no column \(column)")
      }
      guard let value = Value(stateValue: values[column]) else {
        throw StateError(.value, "column \(column) is \(values[column].kind), not of \(Value.self)")
      }
      return value
    }
  }
}
