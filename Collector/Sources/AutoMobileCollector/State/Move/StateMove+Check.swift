import AutoMobileState

extension StateMove {
  /// Reads both, row by row.
  ///
  /// - Parameter most: differences that are told; there may be more.
  /// - Returns: none when what is there is what was in the data directory. After ``settle()`` that has nothing to compare any more.
  /// - Throws: ``CollectorError`` after ``settle()``, and what the databases say.
  package func check(most: Int = 1000) throws -> [StateDifference] {
    if let settled = try settled() {
      throw CollectorError.stateElsewhere(known: settled.place, given: "the data directory")
    }
    let source = try source()
    return try target.readNow { state in
      // It may be run again.
      var source = source
      var differences: [StateDifference] = []
      for table in MovedTable.all where differences.count < most {
        try Self.compare(table, &source, state) { difference in
          differences.append(difference)
          return differences.count < most
        }
      }
      return differences
    }
  }

  private static let page = 500

  /// - Parameter tell: returns whether more is wanted.
  private static func compare(
    _ table: MovedTable, _ source: inout MoveSource, _ state: borrowing StateReading,
    _ tell: (StateDifference) -> Bool
  ) throws {
    var (old, new) = (Pages(table), Pages(table))
    while true {
      if old.isUsed { old.put(try source.rows(of: table, after: old.last, most: page), page) }
      if new.isUsed { new.put(try Self.rows(of: table, after: new.last, in: state), page) }
      let goesOn: Bool
      switch (old.first, new.first) {
      case (nil, nil): return
      case (let row?, nil):
        goesOn = tell(StateDifference(table, row, .missing))
        old.advance()
      case (nil, let row?):
        goesOn = tell(StateDifference(table, row, .added))
        new.advance()
      case (let one?, let other?):
        if precedes(one, other, table) {
          goesOn = tell(StateDifference(table, one, .missing))
          old.advance()
        } else if precedes(other, one, table) {
          goesOn = tell(StateDifference(table, other, .added))
          new.advance()
        } else {
          let columns = table.columns.indices.filter { !one.values[$0].isSame(as: other.values[$0]) }
          goesOn =
            columns.isEmpty || tell(StateDifference(table, one, .changed(columns.map { table.columns[$0].name })))
          old.advance()
          new.advance()
        }
      }
      guard goesOn else { return }
    }
  }

  private static func rows(
    of table: MovedTable, after key: [StateValue]?, in state: borrowing StateReading
  ) throws -> [StateRow] {
    let limit = key.map { _ in "\(value: table.keys + 1)" as StateSQL } ?? "?1"
    // All of it: also what must not be there.
    let all = table.unconditioned
    return try state.rows(
      all.page(of: table.list, isFirst: key == nil, most: limit), values: (key ?? []) + [.integer(Int64(page))])
  }

  private static func precedes(_ one: StateRow, _ other: StateRow, _ table: MovedTable) -> Bool {
    for index in 0..<table.keys where !one.values[index].isSame(as: other.values[index]) {
      return one.values[index].precedes(other.values[index])
    }
    return false
  }

  /// Rows of one side, a page at a time.
  private struct Pages {
    private let keys: Int
    private var rows: ArraySlice<StateRow> = []
    private var isAtEnd = false
    private(set) var last: [StateValue]?

    init(_ table: MovedTable) { keys = table.keys }

    var first: StateRow? { rows.first }
    var isUsed: Bool { rows.isEmpty && !isAtEnd }

    mutating func put(_ new: [StateRow], _ most: Int) {
      rows = new[...]
      isAtEnd = new.count < most
      if let row = new.last { last = Array(row.values.prefix(keys)) }
    }

    mutating func advance() { rows = rows.dropFirst() }
  }
}

extension MovedTable {
  fileprivate var unconditioned: MovedTable {
    MovedTable(self, where: nil)
  }

  private init(_ other: MovedTable, where condition: StateSQL?) {
    (sql, columns, keys, isNumbered) = (other.sql, other.columns, other.keys, other.isNumbered)
    self.condition = condition
  }
}
