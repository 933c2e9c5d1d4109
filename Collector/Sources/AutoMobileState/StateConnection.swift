/// One connection, inside of a transaction: what an engine has to offer to ``StateReading`` and ``StateWriting``.
package protocol StateConnection: AnyObject {
  /// Runs one statement of the dialect of ``StateSQL`` to its end.
  ///
  /// - Parameter values: for `?1` and so on; without texts that hold NUL.
  /// - Returns: all of its rows, and how many it changed: those that it found, also where nothing became different. Of a statement
  ///   that only reads the second says nothing.
  /// - Throws: ``StateError``, or what the engine says; also when the values are too few or too many.
  func run(_ sql: StateSQL, _ values: [StateValue]) throws -> (rows: [StateRow], changed: Int)

  /// Has it told when the transaction is kept, and only then.
  func tell(_ news: StateNews) throws

  /// The engine's own clock at this moment, in milliseconds since 1970.
  func clock() throws -> Int64
}
