import AutoMobileClickHouse

/// What sessions say of themselves, for rows that show it beside what happened in them.
struct ClickHouseSessionFacts {
  struct Name: Hashable, Sendable {
    var project: String
    var session: String
  }

  struct Fact: Sendable {
    var bundle: String?
    var user: String?
    var version: String?
    var tags: String?
    /// JSON.
    var device: String?
  }

  let tables: ReadableTables
  let wall: SQL

  /// Asks for all of these.
  func sql(_ names: Set<Name>) -> SQL {
    let values = ["bundle", "user", "version", "tags", "device"].compactMap { SessionTables.value($0) }
    let list = names.sorted { ($0.project, $0.session) < ($1.project, $1.session) }
      .map { "(\(text: $0.project), \(text: $0.session))" as SQL }
    return """
      SELECT project, session, \(SQL.joined(values, ", ")) FROM \(tables.sessions) \
      WHERE \(wall) AND (project, session) IN (\(SQL.joined(list, ", "))) GROUP BY project, session
      """
  }

  static func read(_ reader: inout RowBinaryReader) throws -> (Name, Fact) {
    func told(_ reader: inout RowBinaryReader) throws -> String? {
      let text = try reader.string()
      return text.isEmpty ? nil : text
    }
    let name = Name(project: try reader.string(), session: try reader.string())
    return (
      name,
      Fact(
        bundle: try told(&reader), user: try told(&reader), version: try told(&reader), tags: try told(&reader),
        device: try told(&reader))
    )
  }
}
