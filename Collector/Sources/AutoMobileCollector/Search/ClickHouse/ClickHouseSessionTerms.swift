import AutoMobileClickHouse

/// What a session says of itself, as conditions on the table of sessions: what ``SessionTerms`` asks of SQLite's.
///
/// They speak of what ``said`` selects.
enum ClickHouseSessionTerms {
  /// Merged once each; named so that no name is a column's, which ClickHouse would take for the merged one.
  static let said: [SQL] = [
    ("said_bundle", "bundle"), ("said_version", "version"), ("said_user", "user"), ("said_tags", "tags"),
    ("said_device", "device"), ("said_last", "last"),
  ].map { (name: SQL, column: String) in "\(SessionTables.value(column) ?? "''") AS \(name)" }

  /// The sessions for which a condition holds, as the condition that a row of one of them meets.
  ///
  /// - Parameter newest: only of those that were heard of last, on each shard.
  static func has(_ condition: SQL, _ reading: ClickHouseReading, newest: Int? = nil) -> SQL {
    var sessions = SeenSessions(selected: said)
    if let newest {
      sessions.order = ["said_last DESC"]
      sessions.limit = newest
    }
    // A number made of both names: compared in less time than they are, and of eight bytes.
    return """
      shard IN (SELECT shard FROM (\(reading.sessions(sessions, isOnShard: true).sql)) WHERE \(condition))
      """
  }

  /// Somewhere in its name, user, tags, version, app or device.
  static func known(_ text: String) -> SQL {
    let all: SQL = "concat(session, ' ', said_user, ' ', said_tags, ' ', said_version, ' ', said_bundle)"
    return ClickHouseTerms.any(
      [ClickHouseTerms.part(all, text)] + [model, system, maker].map { ClickHouseTerms.part($0, text) })
  }

  static func shared(_ field: SearchField, _ value: SearchValue) -> SQL {
    switch field.name {
    case "user": ClickHouseTerms.name("said_user", value)
    case "app": ClickHouseTerms.name("said_bundle", value, after: ".")
    case "version": ClickHouseTerms.version("said_version", value)
    case "device": ClickHouseTerms.name(model, value, after: " ")
    case "os": ClickHouseTerms.name(system, value, after: " ")
    case "session": ClickHouseTerms.name("session", value, after: ":")
    case "tag": tag(value)
    default: ClickHouseTerms.never
    }
  }

  static let model: SQL = "visitParamExtractString(said_device, 'model')"
  static let maker: SQL = "visitParamExtractString(said_device, 'manufacturer')"
  static let system: SQL = """
    replaceRegexpOne(concat(visitParamExtractString(said_device, 'systemName'), ' ', \
    visitParamExtractString(said_device, 'osVersion')), '^ *(.*?) *$', '\\\\1')
    """

  /// As the column has them: one JSON object of texts, written here, without blanks. No text in it holds an unescaped quotation mark, so
  /// what stands between two texts stands nowhere else.
  static let tags: SQL = """
    splitByString('","', replaceAll(substring(said_tags, 3, length(said_tags) - 4), '":"', '='))
    """

  private static func tag(_ value: SearchValue) -> SQL {
    guard case .text(let text, _) = value else { return ClickHouseTerms.never }
    var json = JSONOutput()
    json.string(text)
    let escaped = String(String(buffer: json.buffer).dropFirst().dropLast())
    return "length(said_tags) > 4 AND arrayExists(pair -> \(ClickHouseTerms.part("pair", escaped)), \(tags))"
  }
}
