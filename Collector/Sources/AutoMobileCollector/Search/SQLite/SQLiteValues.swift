import GRDB

/// Values of fields, read out of the index.
struct SQLiteValues: ValueReading {
  let store: EventStore

  func values(
    _ scope: ReadScope, of field: SearchField, in domain: SearchDomain, beginning: String
  ) async throws -> [FieldValue] {
    if !field.choices.isEmpty { return field.choices(beginning) }
    guard field.hasValues, let source = Self.source(field, domain) else { return [] }
    let filter =
      beginning.isEmpty ? SearchCondition("1") : SearchCondition.name("value", .text(beginning, isExact: false))
    return try await store.read(scope) { database in
      let rows = try TimeLimit.run(TimeLimit.patience, in: database) {
        try Row.fetchAll(
          database,
          sql: """
            SELECT CAST(value AS TEXT), COUNT(*) FROM (\(source)) WHERE value <> '' AND \(filter.sql)
            GROUP BY value ORDER BY COUNT(*) DESC, value LIMIT \(FieldValue.most)
            """, arguments: filter.arguments)
      }
      return (rows ?? []).map {
        FieldValue(text: String(($0[0] as String? ?? "").prefix(FieldValue.letters)), count: $0[1])
      }
    }
  }

  private static func source(_ field: SearchField, _ domain: SearchDomain) -> String? {
    let sessions = "FROM (SELECT * FROM session ORDER BY last DESC LIMIT \(FieldValue.newest)) AS session"
    switch field.name {
    case "user": return "SELECT userId AS value \(sessions)"
    case "app": return "SELECT bundleId AS value \(sessions)"
    case "version": return "SELECT appVersion AS value \(sessions)"
    case "device": return "SELECT \(SessionSelection.device) AS value \(sessions)"
    case "os": return "SELECT \(SessionSelection.system) AS value \(sessions)"
    case "screen":
      return """
        SELECT screen AS value FROM (SELECT id FROM session ORDER BY last DESC LIMIT \(FieldValue.newest / 10)) AS found
          CROSS JOIN session_screen ON session_screen.session = found.id
        """
    case "tag":
      let tags = """
        SELECT json_each.key || '=' || json_each.value AS value
          FROM (SELECT tags FROM session ORDER BY last DESC LIMIT \(FieldValue.newest / 10)) AS found, json_each(found.tags)
        """
      return domain == .events ? "\(said("log", "tag")) UNION ALL \(tags)" : tags
    case "type": return domain == .issues ? "SELECT cause AS value FROM issue" : "SELECT name AS value FROM seen_type"
    case "file": return "SELECT file AS value FROM issue"
    case "assignee": return "SELECT assignee AS value FROM issue_note"
    case "name": return said("custom", "name")
    case "method", "tracer", "operation", "mock":
      return """
        SELECT \(field.name) AS value FROM (SELECT * FROM network ORDER BY timestamp DESC LIMIT \(FieldValue.newest))
        """
    case "host":
      return """
        SELECT name AS value FROM (SELECT host FROM network ORDER BY timestamp DESC LIMIT \(FieldValue.newest)) AS found
          CROSS JOIN network_host ON network_host.id = found.host
        """
    case "route":
      return """
        SELECT pattern AS value FROM (SELECT route FROM network ORDER BY timestamp DESC LIMIT \(FieldValue.newest)) AS found
          CROSS JOIN network_route ON network_route.id = found.route
        """
    default: return nil
    }
  }

  /// What the newest events of a type have in a member; both are ours.
  private static func said(_ type: String, _ member: String) -> String {
    """
    SELECT json_extract(CAST(payload AS TEXT), '$.\(member)') AS value FROM (SELECT payload FROM event
      WHERE type = (SELECT id FROM event_type WHERE name = '\(type)') ORDER BY id DESC LIMIT \(FieldValue.newest / 10))
    """
  }
}
