/// What is asked of a ``StateStore``, inside of its `read` or `write`.
package struct StateReading: ~Copyable {
  private let connection: any StateConnection

  package init(_ connection: any StateConnection) { self.connection = connection }

  /// All rows of the answer.
  ///
  /// - Throws: ``StateError``, or what the engine says.
  package func rows(_ sql: StateSQL, _ values: any StateConvertible...) throws -> [StateRow] {
    try rows(sql, values: values.map(\.stateValue))
  }

  /// The same, with values in an array.
  package func rows(_ sql: StateSQL, values: [StateValue]) throws -> [StateRow] { try run(sql, values).rows }

  /// The first row of the answer.
  package func row(_ sql: StateSQL, _ values: any StateConvertible...) throws -> StateRow? {
    try rows(sql, values: values.map(\.stateValue)).first
  }

  /// The first column of the first row; nil when there is no row.
  package func value<Value: StateConvertible>(_ sql: StateSQL, _ values: any StateConvertible...) throws -> Value? {
    try rows(sql, values: values.map(\.stateValue)).first.map { try $0[0] }
  }

  /// The store's own clock at this moment, in milliseconds since 1970: the same for all who share it, whatever their machines say.
  package func clock() throws -> Int64 { try connection.clock() }

  fileprivate func run(_ sql: StateSQL, _ values: [StateValue]) throws -> (rows: [StateRow], changed: Int) {
    // Some engines cannot keep it, and others end the text there.
    for case .text(let text) in values where text.utf8.contains(0) {
      throw StateError(.value, "a text with the character NUL cannot be kept or looked for")
    }
    return try connection.run(sql, values)
  }

  fileprivate func tell(_ news: StateNews) throws { try connection.tell(news) }
}

/// What is changed in a ``StateStore``, inside of its `write`.
package struct StateWriting: ~Copyable {
  /// For what only reads.
  package let reading: StateReading

  package init(_ connection: any StateConnection) { reading = StateReading(connection) }

  /// See ``StateReading/rows(_:_:)``. Also of a statement that writes and answers with `RETURNING`.
  package func rows(_ sql: StateSQL, _ values: any StateConvertible...) throws -> [StateRow] {
    try reading.rows(sql, values: values.map(\.stateValue))
  }

  /// The same, with values in an array.
  package func rows(_ sql: StateSQL, values: [StateValue]) throws -> [StateRow] {
    try reading.rows(sql, values: values)
  }

  /// The first row of the answer.
  package func row(_ sql: StateSQL, _ values: any StateConvertible...) throws -> StateRow? {
    try reading.rows(sql, values: values.map(\.stateValue)).first
  }

  /// The first column of the first row; nil when there is no row.
  package func value<Value: StateConvertible>(_ sql: StateSQL, _ values: any StateConvertible...) throws -> Value? {
    try reading.rows(sql, values: values.map(\.stateValue)).first.map { try $0[0] }
  }

  /// Runs a statement that changes something.
  ///
  /// - Returns: how many rows it put in, took out or found to change.
  @discardableResult
  package func execute(_ sql: StateSQL, _ values: any StateConvertible...) throws -> Int {
    try reading.run(sql, values.map(\.stateValue)).changed
  }

  /// Has others told that something was changed, when it is kept, and only then. See ``StateStore/news(of:)``.
  ///
  /// - Parameter detail: a name or a number, of at most ``StateNews/longestDetail`` bytes; a longer one is left out.
  package func tell(_ subject: StateSubject, _ detail: String = "") throws {
    let fits = detail.utf8.count <= StateNews.longestDetail && !detail.utf8.contains(0)
    try reading.tell(StateNews(subject, fits ? detail : ""))
  }
}
