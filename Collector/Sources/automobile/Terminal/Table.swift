/// Rows in columns, fitted to the width of the terminal.
///
/// What does not fit is first cut in columns that may shrink, the widest first; then columns are left out, those with the
/// highest `rank` first.
struct Table {
  struct Column {
    var title: String
    var alignsRight = false
    /// The least that it may shrink to; nil: it is never cut.
    var minimum: Int? = nil
    /// 0 is never left out.
    var rank = 0
    /// Colours the padded text of a cell.
    var paint: @Sendable (Style, String) -> String = { _, text in text }
  }

  var columns: [Column]
  /// Cells are printed as they are: make them safe with ``Printable``.
  var rows: [[String]] = []

  private static let gap = 2

  /// The lines, header first.
  func lines(width: Int?, style: Style) -> [String] {
    let natural = columns.indices.map { index in
      rows.reduce(DisplayWidth.of(columns[index].title)) { max($0, DisplayWidth.of($1[index])) }
    }
    var shown = Array(columns.indices)
    var widths = natural
    if let width {
      widths = fitted(natural, shown: &shown, into: width)
    }
    let header = shown.map {
      padded(DisplayWidth.truncated(columns[$0].title, to: widths[$0]), columns[$0], widths[$0])
    }
    var lines = [style.dim(trimmed(header.joined(separator: gapText)))]
    for row in rows {
      let cells = shown.map { index in
        let column = columns[index]
        return column.paint(style, padded(DisplayWidth.truncated(row[index], to: widths[index]), column, widths[index]))
      }
      lines.append(style.coloured ? cells.joined(separator: gapText) : trimmed(cells.joined(separator: gapText)))
    }
    return lines
  }

  private var gapText: String { String(repeating: " ", count: Self.gap) }

  private func fitted(_ natural: [Int], shown: inout [Int], into width: Int) -> [Int] {
    while true {
      var widths = natural
      var total = shown.reduce(0) { $0 + widths[$1] } + Self.gap * (shown.count - 1)
      while total > width {
        let shrinkable = shown.filter { index in columns[index].minimum.map { widths[index] > $0 } ?? false }
        guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
        widths[widest] -= 1
        total -= 1
      }
      let dispensable = shown.filter { columns[$0].rank > 0 }
      guard total > width, let last = dispensable.max(by: { columns[$0].rank < columns[$1].rank }) else {
        return widths
      }
      shown.removeAll { $0 == last }
    }
  }

  private func padded(_ text: String, _ column: Column, _ width: Int) -> String {
    let filling = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    return column.alignsRight ? filling + text : text + filling
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
