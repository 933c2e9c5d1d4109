import AutoMobileClickHouse

extension SpanRow {
  /// Where the event that tells most of it lies.
  struct Told: Sendable {
    var project: String
    /// In which it began, as its app calls it.
    var session: String
    /// In which that event was.
    var eventSession: String
  }

  /// A row of ``ClickHouseSpanStatements``.
  static func read(_ reader: inout RowBinaryReader) throws -> (span: SpanRow, told: Told)? {
    func number(_ reader: inout RowBinaryReader) throws -> Int64? {
      let value: Int64 = try reader.int()
      return value == 0 ? nil : value
    }
    func text(_ reader: inout RowBinaryReader) throws -> String? {
      let text = try reader.string()
      return text.isEmpty ? nil : text
    }
    let row: Int64 = try reader.int()
    let trace = TraceName(try reader.string())
    let span: Int64 = try reader.int()
    let parent = try number(&reader)
    let timestamp: Int64 = try reader.int()
    let duration: Int64 = try reader.int()
    let name = try reader.string()
    let kind = try text(&reader)
    let status = try text(&reader)
    let message = try text(&reader).map { String($0.dropFirst()) }
    let begun = try number(&reader)
    let ended = try number(&reader)
    let told = Told(project: try reader.string(), session: try reader.string(), eventSession: try reader.string())
    guard let trace else { return nil }
    return (
      SpanRow(
        row: row, trace: trace, span: span, parent: parent, timestamp: timestamp,
        duration: duration < 0 ? nil : duration,
        name: name, kind: kind, status: status, message: message, begun: begun, ended: ended),
      told
    )
  }
}
