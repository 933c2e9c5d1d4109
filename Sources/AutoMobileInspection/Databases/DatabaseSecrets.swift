import AutoMobileHTTP

/// Secrets in a database do not leave the device: the rules are those of preferences, with the names of columns as keys.
///
/// A statement that gives a column another name, or computes with it, gets the value as any other text.
struct DatabaseSecrets: Sendable {
  private(set) var rows: [[String?]]
  private(set) var types: [[DatabaseValueType]]

  init(columns: [String], rows: [[String?]], types: [[DatabaseValueType]]) {
    self.rows = rows
    self.types = types
    let secret = columns.map(DefaultsSecrets.isSecret)
    for (row, values) in rows.enumerated() {
      for (column, value) in values.enumerated() {
        guard let value else { continue }
        if secret.indices.contains(column), secret[column] {
          note(HTTPRedaction.mark, row, column)
        } else if type(row, column) == .text {
          let redacted = DefaultsSecrets.redacted(text: value)
          if redacted != value { note(redacted, row, column) }
        }
      }
    }
  }

  /// A driver of the app's may not say of which types its values are: then they are texts.
  private func type(_ row: Int, _ column: Int) -> DatabaseValueType {
    guard types.indices.contains(row), types[row].indices.contains(column) else { return .text }
    return types[row][column]
  }

  private mutating func note(_ text: String, _ row: Int, _ column: Int) {
    rows[row][column] = text
    if types.indices.contains(row), types[row].indices.contains(column) { types[row][column] = .text }
  }
}
