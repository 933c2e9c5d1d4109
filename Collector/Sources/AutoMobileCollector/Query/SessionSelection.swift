import GRDB

/// A ``SessionFilter`` as SQL.
struct SessionSelection {
  /// The newest events that a text search takes into account: what is looked for in a hurry is seldom older.
  private static let hits = 20_000

  /// With one parameter: the time from which on a session counts as live.
  static let isLive = """
    (session.received >= ? AND EXISTS (SELECT 1 FROM session_launch JOIN launch ON launch.id = session_launch.launch
      WHERE session_launch.session = session.id AND NOT launch.final))
    """
  static let ended = """
    IFNULL((SELECT verdict FROM session_launch JOIN launch ON launch.id = session_launch.launch
      LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
      WHERE session_launch.session = session.id ORDER BY launch.id DESC LIMIT 1), 'none')
    """
  static let device = "json_extract(session.device, '$.model')"
  static let system = """
    NULLIF(TRIM(IFNULL(json_extract(session.device, '$.systemName'), '') || ' '
      || IFNULL(json_extract(session.device, '$.osVersion'), '')), '')
    """
  /// What a session can have; `live` is asked for with a parameter.
  static let has = [
    "crash": "(\(ended) = 'crash' OR \(hasType("crash")))",
    "hang": hasType("hang"),
    "failed": "EXISTS (SELECT 1 FROM network WHERE network.session = session.id AND network.failed = 1)",
    "error": "session.errors > 0",
    "live": isLive,
  ]

  private static func hasType(_ name: String) -> String {
    """
    EXISTS (SELECT 1 FROM session_type JOIN event_type ON event_type.id = session_type.type
      WHERE session_type.session = session.id AND event_type.name = '\(name)')
    """
  }

  private var conditions = ["session.last IS NOT NULL"]
  private(set) var arguments = StatementArguments()
  private let hasFullText: Bool
  private let live: Int64

  init(_ filter: SessionFilter, hasFullText: Bool, live: Int64) {
    self.hasFullText = hasFullText
    self.live = live
    if let search = filter.search { addSearch(search) }
    if let user = filter.user { add("session.userId LIKE ? ESCAPE '\\'", [user.like]) }
    if let tag = filter.tag {
      add(
        """
        EXISTS (SELECT 1 FROM json_each(session.tags)
          WHERE json_each.key || '=' || json_each.value LIKE ?1 ESCAPE '\\')
        """.replacing("?1", with: "?"), [tag.like])
    }
    if let screen = filter.screen { add(Self.visited, [screen.like]) }
    if let url = filter.url { addWords(url, "network_request") }
    if let message = filter.message { addWords(message, "log", "handled_exception", "crash", "custom") }
    if let from = filter.from { add("session.last >= ?", [from]) }
    if let to = filter.to { add("session.first < ?", [to]) }
    for facet in SessionFilter.Facet.allCases {
      if let values = filter.facets[facet], !values.isEmpty { add(facet, values) }
    }
  }

  mutating func add(_ condition: String, _ values: StatementArguments = []) {
    conditions.append(condition)
    arguments += values
  }

  var whereClause: String { " WHERE " + conditions.joined(separator: " AND ") }

  // MARK: Facets

  private mutating func add(_ facet: SessionFilter.Facet, _ values: [String]) {
    let marks = values.map { _ in "?" }.joined(separator: ",")
    switch facet {
    case .app: add("session.bundleId IN (\(marks))", StatementArguments(values))
    case .version: add("session.appVersion IN (\(marks))", StatementArguments(values))
    case .device: add("\(Self.device) IN (\(marks))", StatementArguments(values))
    case .os: add("\(Self.system) IN (\(marks))", StatementArguments(values))
    case .ended: add("\(Self.ended) IN (\(marks))", StatementArguments(values))
    case .has:
      // Each narrows further: with a crash and with a hang.
      for value in values { add(Self.has[value] ?? "0", value == "live" ? [live] : []) }
    }
  }

  // MARK: Text

  private static let visited =
    "EXISTS (SELECT 1 FROM session_screen WHERE session_screen.session = session.id AND screen LIKE ? ESCAPE '\\')"

  private mutating func addSearch(_ search: SearchPattern) {
    var condition = """
      (sessionId || ' ' || IFNULL(userId, '') || ' ' || IFNULL(tags, '') || ' ' || IFNULL(appVersion, '')
        || ' ' || IFNULL(bundleId, '') || ' ' || IFNULL(device, '') LIKE ? ESCAPE '\\' OR \(Self.visited)
      """
    var values: StatementArguments = [search.like, search.like]
    if let (found, words) = events(search, types: []) {
      condition += " OR \(found)"
      values += words
    }
    add(condition + ")", values)
  }

  private mutating func addWords(_ pattern: SearchPattern, _ types: String...) {
    guard let (found, values) = events(pattern, types: types) else { return add("0") }
    add(found, values)
  }

  /// Sessions with an event that holds the words. Worked out once, whatever the number of sessions.
  private func events(_ pattern: SearchPattern, types: [String]) -> (String, StatementArguments)? {
    let names = types.map { "'\($0)'" }.joined(separator: ",")
    let isType = types.isEmpty ? "" : " AND event.type IN (SELECT id FROM event_type WHERE name IN (\(names)))"
    if hasFullText {
      guard let text = pattern.fullText else { return nil }
      return (
        """
        session.id IN (SELECT event.session FROM
          (SELECT rowid AS hit FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(Self.hits)) AS found
          CROSS JOIN event ON event.id = found.hit\(isType))
        """, [text]
      )
    }
    return (
      """
      session.id IN (SELECT session FROM event WHERE event.id > (SELECT MAX(id) FROM event) - \(Self.hits)\(isType)
        AND CAST(payload AS TEXT) LIKE ? ESCAPE '\\')
      """, [pattern.like]
    )
  }
}
