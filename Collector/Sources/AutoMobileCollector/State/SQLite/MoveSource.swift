import AutoMobileState
import Foundation
import GRDB

/// The state in the index's file as bytes, with what its own connection would not show: texts behind the character NUL, and texts that
/// are none.
struct MoveSource {
  /// What was put in place of what PostgreSQL does not keep.
  struct Replaced: Hashable, Sendable {
    let table: String
    let key: [StateValue]
    let column: String
  }

  let store: EventStore
  /// From where followers of the index's numbers begin, where these say nothing any more.
  let place: Int64?
  /// Of a data directory that has its blobs in it, so that no other one is taken for it.
  let directory: String?
  private(set) var replaced: Set<Replaced> = []

  init(_ store: EventStore, place: Int64?, directory: String?) {
    (self.store, self.place, self.directory) = (store, place, directory)
  }

  /// The rows behind `key`, at most `most`, with the columns in the table's order.
  ///
  /// - Throws: ``StateError`` for what PostgreSQL cannot keep as it is, and what must not be changed.
  mutating func rows(of table: MovedTable, after key: [StateValue]?, most: Int) throws -> [StateRow] {
    if table.name == "erased_name" { return try marks(table, after: key, most: most) }
    let columns = try store.pool.read { database in
      try Set(database.columns(in: table.name).map(\.name))
    }
    let selected = table.columns.map { column -> StateSQL in
      // The index's file says it elsewhere.
      guard columns.contains(column.name) else { return "NULL, 'null'" }
      let sql = column.sql
      return "CASE typeof(\(sql)) WHEN 'text' THEN CAST(\(sql) AS BLOB) ELSE \(sql) END, typeof(\(sql))"
    }
    let limit = key.map { _ in "\(value: table.keys + 1)" as StateSQL } ?? "?1"
    let sql = table.page(of: selected.joined(separator: ", "), isFirst: key == nil, most: limit)
    let found = try store.own.readNow { try $0.rows(sql, values: (key ?? []) + [.integer(Int64(most))]) }
    return try found.map { try row($0, of: table) }
  }

  private mutating func row(_ row: StateRow, of table: MovedTable) throws -> StateRow {
    var values: [StateValue] = []
    for (index, column) in table.columns.enumerated() {
      let (raw, type): (StateValue, String) = (row.values[2 * index], try row[2 * index + 1])
      let isKey = index < table.keys
      let key = Array(values.prefix(table.keys))
      switch (raw, type, column.kind) {
      case (.null, _, _), (.integer, _, .whole): values.append(raw)
      case (.bytes, "blob", .bytes): values.append(raw)
      case (.bytes(let bytes), "text", .text):
        let text = String(decoding: bytes, as: UTF8.self)
        if !bytes.contains(0), text.utf8.elementsEqual(bytes) {
          values.append(.text(text))
        } else if isKey {
          throw Self.refusal(table, column, key, "is a name with bytes in it that PostgreSQL does not keep")
        } else {
          replaced.insert(Replaced(table: table.name, key: key, column: column.name))
          values.append(.text(text.replacing("\0", with: "\u{FFFD}")))
        }
      default:
        throw Self.refusal(table, column, key, "is \(type), and PostgreSQL keeps \(column.kind.name) there")
      }
    }
    adjust(&values, of: table)
    return StateRow(values)
  }

  private static func refusal(
    _ table: MovedTable, _ column: MovedTable.Column, _ key: [StateValue], _ reason: String
  ) -> StateError {
    StateError(
      .value, "\(StateDifference.name(table.name, key)), \(column.name): the value \(reason). Mend or remove the row")
  }

  private func adjust(_ values: inout [StateValue], of table: MovedTable) {
    func set(_ name: String, _ value: StateValue) {
      if let index = table.columns.firstIndex(where: { $0.name == name }) { values[index] = value }
    }
    switch table.name {
    case "blob_place": set("directory", directory.map { .text($0) } ?? .null)
    case "forwarder_lane": if let place { set("cursor", .integer(place)) }
    case "alert_rule":
      guard let place, let kind = table.columns.firstIndex(where: { $0.name == "kind" }) else { return }
      if case .text(let kind) = values[kind], AlertRule.Kind(rawValue: kind)?.isOfIndex == true {
        set("cursor", .integer(place))
      }
    default: break
    }
  }

  /// Of one collector alone they are in a table of its own, without the key that they were made with.
  private func marks(_ table: MovedTable, after key: [StateValue]?, most: Int) throws -> [StateRow] {
    let after: Data? = if case .bytes(let bytes)? = key?.first { Data(bytes) } else { nil }
    return try store.pool.read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT hash, at, ends, (SELECT key FROM erasure_key) FROM erasure_mark WHERE ?1 IS NULL OR hash > ?1
          ORDER BY hash LIMIT ?2
          """, arguments: [after, most])
      return rows.map { row in
        let (hash, at, ends, secret): (Data, Int64, Int64, Data?) = (row[0], row[1], row[2], row[3])
        return StateRow([.bytes(Array(hash)), .integer(at), .integer(ends), .bytes(Array(secret ?? Data()))])
      }
    }
  }

  /// The greatest number that a table has given out, also to a row that is gone.
  func lastNumber(of table: MovedTable) throws -> Int64 {
    try store.pool.read { database in
      try Int64.fetchOne(
        database,
        sql:
          "SELECT MAX(IFNULL((SELECT seq FROM sqlite_sequence WHERE name = ?), 0), IFNULL(MAX(id), 0)) FROM \(table.name)",
        arguments: [table.name]) ?? 0
    }
  }
}
