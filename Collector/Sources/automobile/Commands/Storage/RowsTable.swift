import Foundation

/// The rows of a table or of a statement's result, as the app answers with them.
struct RowsTable {
  private let columns: [String]
  private let rows: [[JSON]]
  /// For each row a text with a letter for each value: `itrbn`.
  private let types: [[Character]]
  private let answer: JSON

  init(_ answer: JSON) {
    self.answer = answer
    columns = (answer["columns"]?.array ?? []).map(\.text)
    rows = (answer["rows"]?.array ?? []).map { $0.array ?? [] }
    types = (answer["types"]?.array ?? []).map { Array($0.text) }
  }

  func lines(width: Int?, style: Style) -> [String] {
    guard !columns.isEmpty else { return [] }
    var table = Table(
      columns: columns.enumerated().map { index, name in
        // The first columns tell the most: those at the end are left out when the terminal is too narrow.
        Table.Column(
          title: Printable.text(name), alignsRight: isNumber(index), minimum: 8, rank: index,
          paint: { style, text in Self.isMuted(text) ? style.dim(text) : text })
      })
    table.rows = rows.enumerated().map { row, values in
      columns.indices.map { column in text(values.indices.contains(column) ? values[column] : .null, row, column) }
    }
    return table.lines(width: width, style: style)
  }

  /// What is to be said about the rows.
  func notes(isPage: Bool) -> [String] {
    var notes: [String] = []
    if isPage {
      let offset = answer["offset"]?.int ?? 0
      let total = answer["totalRows"]?.int ?? -1
      let of = total < 0 ? "an unknown total" : Format.count(total)
      let next = offset + rows.count
      if rows.isEmpty {
        notes.append(
          total == 0 ? "The table is empty." : "No rows from \(Format.count(offset)) on, of \(of).")
      } else {
        let more = total < 0 || next < total ? " · more with --offset \(next)" : ""
        notes.append("rows \(offset + 1)–\(next) of \(of)\(more)")
      }
    } else if columns.isEmpty {
      notes.append("Done: \(Format.plural(answer["rowsAffected"]?.int ?? 0, "row")) changed.")
    } else {
      let affected = answer["rowsAffected"]?.int ?? 0
      notes.append(Format.plural(rows.count, "row") + (affected > 0 ? ", \(affected) changed" : ""))
    }
    if answer["isTruncated"]?.bool == true {
      notes.append("Incomplete: a response holds at most 500 rows and 512 KiB, a value 64 KiB.")
    }
    return notes
  }

  private func type(_ row: Int, _ column: Int) -> Character? {
    types.indices.contains(row) && types[row].indices.contains(column) ? types[row][column] : nil
  }

  private func isNumber(_ column: Int) -> Bool {
    let found = rows.indices.compactMap { type($0, column) }.filter { $0 != "n" }
    return !found.isEmpty && found.allSatisfy { $0 == "i" || $0 == "r" }
  }

  private func text(_ value: JSON, _ row: Int, _ column: Int) -> String {
    guard let text = value.string else { return "NULL" }
    guard type(row, column) == "b" else { return Printable.text(text) }
    let size = text.utf8.count / 4 * 3 - text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
    return "‹\(Format.bytes(size))›"
  }

  private static func isMuted(_ text: String) -> Bool {
    let text = text.trimmingCharacters(in: .whitespaces)
    return text == "NULL" || text.hasPrefix("‹")
  }
}
