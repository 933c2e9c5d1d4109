import AutoMobileClickHouse

/// What sessions say of themselves, for rows that show it beside what happened in them.
struct SessionFact: Sendable {
  struct Name: Hashable, Sendable {
    var project: String
    var session: String
  }

  var bundle: String?
  var user: String?
  var version: String?
  var tags: String?
  /// JSON.
  var device: String?

  fileprivate init(_ row: inout RowBinaryReader) throws {
    func told(_ row: inout RowBinaryReader) throws -> String? {
      let text = try row.string()
      return text.isEmpty ? nil : text
    }
    bundle = try told(&row)
    user = try told(&row)
    version = try told(&row)
    tags = try told(&row)
    device = try told(&row)
  }
}

extension ClickHouseReading {
  /// Of some sessions; what is not known is not in it.
  func facts(of names: Set<SessionFact.Name>) async throws -> [SessionFact.Name: SessionFact] {
    guard !names.isEmpty else { return [:] }
    let list = names.sorted { ($0.project, $0.session) < ($1.project, $1.session) }
      .map { "(\(text: $0.project), \(text: $0.session))" as SQL }
    let statement = sessions(
      SeenSessions(
        selected: ["bundle", "user", "version", "tags", "device"].map { SessionTables.value($0) ?? "''" },
        range: ["(project, session) IN (\(SQL.joined(list, ", ")))"]))
    let found = try await rows(statement) { row in
      let name = try SessionName(&row)
      return (SessionFact.Name(project: name.project, session: name.session), try SessionFact(&row))
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
