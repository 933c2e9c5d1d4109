import GRDB

/// A ``SessionFilter`` as SQL.
struct SessionSelection {
  /// With one parameter: the time from which on a session counts as live.
  static let isLive = """
    (session.received >= ? AND NOT session.toldFinal AND EXISTS (SELECT 1 FROM session_launch JOIN launch ON launch.id = session_launch.launch
      WHERE session_launch.session = session.id AND NOT launch.final))
    """
  /// A summary speaks of the session, a verdict of its launch, which may have had others after it.
  static let ended = """
    COALESCE(NULLIF(session.toldEnd, 'unknown'), (SELECT verdict FROM session_launch
      JOIN launch ON launch.id = session_launch.launch
      LEFT JOIN launch_end ON launch_end.owner = launch.owner AND launch_end.name = launch.given
      WHERE session_launch.session = session.id ORDER BY launch.id DESC LIMIT 1), session.toldEnd, '\(noEnd)')
    """
  /// No later launch has told.
  static let noEnd = "none"
  static let device = "json_extract(session.device, '$.model')"
  static let maker = "json_extract(session.device, '$.manufacturer')"
  static let system = """
    NULLIF(TRIM(IFNULL(json_extract(session.device, '$.systemName'), '') || ' '
      || IFNULL(json_extract(session.device, '$.osVersion'), '')), '')
    """
  /// What is here of a session, or what its device has said of it.
  static let events = "MAX(session.events, session.told)"
  static let errors = "MAX(session.errors, session.toldErrors)"
  /// What a session can have; `live` is asked for with a parameter.
  static let has = [
    "crash": "(\(ended) = 'crash' OR session.toldCrashes > 0 OR \(hasType("crash")))",
    "hang": "(\(hasType("hang")) OR \(isTold("json_extract(counts, '$.hang') > 0")))",
    "failed": """
    (EXISTS (SELECT 1 FROM network WHERE network.session = session.id AND network.failed = 1)
      OR \(isTold("json_extract(requests, '$.\"4xx\"') > 0 OR json_extract(requests, '$.\"5xx\"') > 0")))
    """,
    "error": "\(errors) > 0",
    "live": isLive,
  ]

  /// A summary says so of events that stayed on the device.
  private static func isTold(_ condition: String) -> String {
    """
    session.told > 0 AND EXISTS (
      SELECT 1 FROM session_summary WHERE session_summary.session = session.id AND (\(condition)))
    """
  }

  /// `name` is one of ours.
  static func hasType(_ name: String) -> String {
    """
    EXISTS (SELECT 1 FROM session_type JOIN event_type ON event_type.id = session_type.type
      WHERE session_type.session = session.id AND event_type.name = '\(name)')
    """
  }

  private var conditions = ["session.last IS NOT NULL"]
  private(set) var arguments = StatementArguments()
  private let live: Int64

  init(_ filter: SessionFilter, hasFullText: Bool, live: Int64) {
    self.live = live
    let terms = SessionTerms(hasFullText: hasFullText, live: live, isWholeWords: filter.query.isWholeWords)
    for condition in terms.conditions(filter.query) { add(condition) }
    if let user = filter.user { add("session.userId LIKE ? ESCAPE '\\'", [user.like]) }
    if let tag = filter.tag {
      add(
        """
        EXISTS (SELECT 1 FROM json_each(session.tags)
          WHERE json_each.key || '=' || json_each.value LIKE ?1 ESCAPE '\\')
        """.replacing("?1", with: "?"), [tag.like])
    }
    if let screen = filter.screen { add(Self.visited, [screen.like]) }
    if let url = filter.url { add(terms.events(url, types: ["network_request"])) }
    if let message = filter.message { add(terms.events(message, types: SessionTerms.saying)) }
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

  private mutating func add(_ condition: SearchCondition?) {
    let condition = condition ?? .never
    add(condition.sql, condition.arguments)
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
}
