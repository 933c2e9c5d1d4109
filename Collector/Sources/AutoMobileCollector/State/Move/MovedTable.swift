import AutoMobileState

/// A table of the state that goes along when the state moves: its columns, by what is kept in them.
struct MovedTable: Sendable {
  enum Kind: Sendable {
    case whole, text, bytes

    /// As messages say it.
    var name: String {
      switch self {
      case .whole: "whole numbers"
      case .text: "texts"
      case .bytes: "bytes"
      }
    }
  }

  struct Column: Sendable {
    let sql: StateSQL
    let kind: Kind
    var name: String { sql.text }
  }

  let sql: StateSQL
  /// First those that name a row, in the order in which rows are read.
  let columns: [Column]
  let keys: Int
  /// Whether the database gives out the numbers of its rows.
  let isNumbered: Bool
  /// Of which rows, where others are one collector's own.
  let condition: StateSQL?

  var name: String { sql.text }
  var key: ArraySlice<Column> { columns.prefix(keys) }
  var list: StateSQL { columns.map(\.sql).joined(separator: ", ") }

  init(
    _ sql: StateSQL, key: [Column], isNumbered: Bool = false, wholes: [StateSQL] = [], texts: [StateSQL] = [],
    bytes: [StateSQL] = [], where condition: StateSQL? = nil
  ) {
    (self.sql, self.isNumbered, self.condition, keys) = (sql, isNumbered, condition, key.count)
    columns =
      key + wholes.map { Column(sql: $0, kind: .whole) } + texts.map { Column(sql: $0, kind: .text) }
      + bytes.map { Column(sql: $0, kind: .bytes) }
  }

  /// Rows that the database numbers.
  static func numbered(
    _ sql: StateSQL, wholes: [StateSQL] = [], texts: [StateSQL] = [], bytes: [StateSQL] = []
  ) -> MovedTable {
    MovedTable(sql, key: [.whole("id")], isNumbered: true, wholes: wholes, texts: texts, bytes: bytes)
  }

  /// The next rows behind one, in the order of their keys; without one, the first.
  ///
  /// - Parameter selected: what is read of each column.
  func page(of selected: StateSQL, isFirst: Bool, most: StateSQL) -> StateSQL {
    var conditions: [StateSQL] = []
    if let condition { conditions.append("(\(condition))") }
    if !isFirst {
      let marks = (1...keys).map { "\(value: $0)" as StateSQL }.joined(separator: ", ")
      conditions.append("(\(key.map(\.sql).joined(separator: ", "))) > (\(marks))")
    }
    let chosen: StateSQL = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    let order = key.map(\.sql).joined(separator: ", ")
    return "SELECT \(selected) FROM \(sql) \(chosen) ORDER BY \(order) LIMIT \(most)"
  }
}

extension MovedTable.Column {
  static func whole(_ sql: StateSQL) -> Self { Self(sql: sql, kind: .whole) }
  static func text(_ sql: StateSQL) -> Self { Self(sql: sql, kind: .text) }
  static func bytes(_ sql: StateSQL) -> Self { Self(sql: sql, kind: .bytes) }
}
