import GRDB

/// A ``NetworkFilter`` as SQL, over the index that leaves the fewest rows to look at.
///
/// What no index knows (a method, a path's pattern) is tested row by row, and a request looks at a window of so many rows
/// at most: a page can be empty, and its cursor goes on from there. So no combination of filters holds anybody up.
struct NetworkSelection {
  /// Rows that one request may look at.
  private static let window = 100_000
  /// The same where each row's payload has to be read.
  private static let payloadWindow = 4000
  /// The newest events that a text search takes into account.
  static let hits = 50_000

  private(set) var source = "network"
  private var conditions: [String] = []
  private(set) var arguments = StatementArguments()
  /// The column that orders.
  let key: String
  private let filter: NetworkFilter
  private let terms: RequestTerms
  private let session: Int64?
  private let host: Int64?
  /// Which condition its index has answered already.
  private var driver = Driver.none
  private var window: Int?

  private enum Driver { case none, text, tracer, session, host, failed }

  init(_ filter: NetworkFilter, hasFullText: Bool, _ database: Database) throws {
    self.filter = filter
    key = filter.order == .slowest ? "network.duration" : "network.timestamp"
    // A name that is not known has no requests, and no row has the number -1.
    session = try filter.session.map { name in
      try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [name]) ?? -1
    }
    host = try filter.host.flatMap { $0.contains("*") ? nil : $0 }.map { name in
      try Int64.fetchOne(database, sql: "SELECT id FROM network_host WHERE name = ?", arguments: [name]) ?? -1
    }
    terms = try RequestTerms(filter.query, hasFullText: hasFullText, isOfSession: session != nil, database)
    choose()
  }

  /// The source, and what its index answers.
  private mutating func choose() {
    let isByTime = filter.order != .slowest
    window = terms.readsPayloads ? Self.payloadWindow : Self.window
    if let words = terms.leading,
      let text = words.fullText(wholeWords: filter.query.isWholeWords ? Set(words.words) : [])
    {
      driver = .text
      window = nil
      // The event's type is among its words, so that these are requests only.
      source = """
        (SELECT rowid AS hit FROM event_text WHERE event_text MATCH ? ORDER BY rowid DESC LIMIT \(Self.hits)) AS found
        CROSS JOIN network ON network.event = found.hit
        """
      arguments += ["\(text) \"network\" \"request\""]
    } else if let tracer = filter.tracer {
      use("network_tracer", .tracer, "network.tracer = ?", [tracer])
    } else if let session {
      use("network_session", .session, "network.session = ?", [session])
    } else if let host {
      use(isByTime ? "network_host_time" : "network_host_slow", .host, "network.host = ?", [host])
    } else if filter.failed, isByTime {
      use("network_failed", .failed, "network.failed = 1", [])
    } else {
      source = IndexedRows.network(by: isByTime ? "network_time" : "network_slow")
    }
    if isByTime {
      if let from = filter.from { add("network.timestamp >= ?", [from]) }
      if let to = filter.to { add("network.timestamp < ?", [to]) }
    } else {
      add("network.duration IS NOT NULL")
      if let least = filter.minimumDuration { add("network.duration >= ?", [least]) }
      // In the order of time, and few enough to be sorted.
      if driver == .tracer || driver == .session { window = nil }
    }
  }

  private mutating func use(_ index: String, _ driver: Driver, _ condition: String, _ values: StatementArguments) {
    self.driver = driver
    source = IndexedRows.network(by: index)
    add(condition, values)
  }

  /// What is tested row by row.
  private mutating func addTests() {
    if driver != .tracer, let tracer = filter.tracer { add("network.tracer = ?", [tracer]) }
    if driver != .session, let session { add("network.session = ?", [session]) }
    if driver != .host, let host { add("network.host = ?", [host]) }
    if driver != .failed, filter.failed { add("network.failed = 1") }
    if filter.order != .slowest {
      if let least = filter.minimumDuration { add("network.duration >= ?", [least]) }
    } else {
      if let from = filter.from { add("network.timestamp >= ?", [from]) }
      if let to = filter.to { add("network.timestamp < ?", [to]) }
    }
    if host == nil, let pattern = filter.host {
      add("network.host IN (SELECT id FROM network_host WHERE name GLOB ?)", [Self.glob(pattern)])
    }
    if !filter.methods.isEmpty {
      add("network.method COLLATE NOCASE IN (\(Self.marks(filter.methods)))", StatementArguments(filter.methods))
    }
    if !filter.statuses.isEmpty { add("(\(filter.statuses.map(Self.test).joined(separator: " OR ")))") }
    if let path = filter.path { add("network.path GLOB ?", [Self.glob(path)]) }
    if let route = filter.route {
      add("network.route IN (SELECT id FROM network_route WHERE pattern = ?)", [route])
    }
    if let event = filter.arrivedAfter { add("network.event > ?", [event]) }
    if let isMocked = filter.isMocked { add("network.mock IS \(isMocked ? "NOT NULL" : "NULL")") }
    if let bundleId = filter.bundleId {
      add("network.session IN (SELECT id FROM session WHERE bundleId = ?)", [bundleId])
    }
    for test in terms.tests { add(test.sql, test.arguments) }
  }

  private static func test(_ status: NetworkFilter.Status) -> String {
    switch status {
    case .exactly(let code): "network.status = \(code)"
    case .hundreds(let hundreds): "network.status BETWEEN \(hundreds * 100) AND \(hundreds * 100 + 99)"
    case .none: "network.status IS NULL"
    case .unfinished: NetworkRow.unfinished
    }
  }

  private mutating func add(_ condition: String, _ values: StatementArguments = []) {
    conditions.append(condition)
    arguments += values
  }

  private static func marks(_ values: [String]) -> String { values.map { _ in "?" }.joined(separator: ",") }

  /// Only the asterisk and the question mark are special.
  static func glob(_ pattern: String) -> String { pattern.replacing("[", with: "[[]") }

  // MARK: Pages

  /// Narrows it to what comes after a cursor, and to the window from there.
  ///
  /// - Returns: where the window ends; nil when it holds all that there is.
  mutating func page(after: PageCursor?, _ database: Database) throws -> PageCursor? {
    if let after { add("(\(key), network.event) \(isAscending ? ">" : "<") (?, ?)", [after.key, after.id]) }
    var end: PageCursor?
    if let window {
      end = try Row.fetchOne(
        database,
        sql: "SELECT \(key), network.event FROM \(source)\(whereClause) ORDER BY \(order) LIMIT 1 OFFSET ?",
        arguments: arguments + [window - 1]
      ).map { PageCursor(key: $0[0], id: $0[1]) }
      if let end { add("(\(key), network.event) \(isAscending ? "<=" : ">=") (?, ?)", [end.key, end.id]) }
    }
    addTests()
    return end
  }

  private var isAscending: Bool { filter.order == .oldest }
  var direction: String { isAscending ? "ASC" : "DESC" }
  var order: String { "\(key) \(direction), network.event \(direction)" }
  var whereClause: String { conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ") }
}
