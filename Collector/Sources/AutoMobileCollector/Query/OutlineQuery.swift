import GRDB

/// Reads a session's outline: of every event its number, time, type, launch, severity, duration and origin, in columns.
struct OutlineQuery: Sendable {
  let store: EventStore
  /// More are not laid out at once; who asks for the rest begins after the last one.
  static let most = 500_000
  /// Screens that are named in one answer.
  static let screens = 20_000

  /// The events of a session in the order of their timestamps; nil when there is no such session.
  ///
  /// - Parameters:
  ///   - newer: only what has arrived after the event of this number.
  ///   - words: only what holds all of these, somewhere in its payload.
  func outline(of session: String, newer: Int64?, words: [SearchPattern]) async throws -> OutlineColumns? {
    try await store.pool.read { database in
      guard
        let row = try Int64.fetchOne(database, sql: "SELECT id FROM session WHERE sessionId = ?", arguments: [session])
      else { return nil }
      var columns = OutlineColumns()
      var sql =
        "SELECT timestamp, id, type, launch, severity, duration, origin FROM event INDEXED BY event_outline WHERE session = ?"
      var arguments: StatementArguments = [row]
      if let newer {
        // The last few of all events are quicker looked through than all events of a long session.
        sql = sql.replacing("INDEXED BY event_outline WHERE", with: "WHERE event.id > ? AND +")
        arguments = [newer, row]
      }
      for word in words {
        sql += " AND CAST(payload AS TEXT) LIKE ? ESCAPE '\\'"
        arguments += [word.like]
      }
      sql += " ORDER BY timestamp, id LIMIT ?"
      arguments += [Self.most]
      columns.custom = try Int64.fetchOne(database, sql: "SELECT id FROM event_type WHERE name = 'custom'")
      let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
      while let row = try rows.next() {
        columns.add(
          timestamp: row[0], id: row[1], type: row[2], launch: row[3], severity: row[4], duration: row[5],
          origin: row[6])
      }
      try columns.addNames(database)
      if words.isEmpty { columns.screens = try screens(row, newer: newer, database) }
      return columns
    }
  }

  /// Where navigations went, by event.
  private func screens(_ session: Int64, newer: Int64?, _ database: Database) throws -> [(id: Int64, name: String)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT id, json_extract(CAST(payload AS TEXT), '$.destination') FROM event INDEXED BY event_outline
        WHERE session = ? AND type = (SELECT id FROM event_type WHERE name = 'navigation') AND id > ?
        ORDER BY timestamp, id LIMIT ?
        """, arguments: [session, newer ?? -1, Self.screens]
    ).map { row in
      let name = String.fromDatabaseValue(row[1]) ?? ""
      return (row[0], String(name.prefix(200)))
    }
  }

  /// The events of these numbers, as far as they belong to the session, in the order of their timestamps.
  func events(_ ids: [Int64], of session: String) async throws -> [EventRow] {
    try await store.pool.read { database in
      let marks = ids.map { _ in "?" }.joined(separator: ",")
      return try EventRow.fetchAll(
        database,
        sql: EventRow.select
          + " WHERE event.id IN (\(marks)) AND session.sessionId = ? ORDER BY event.timestamp, event.id",
        arguments: StatementArguments(ids) + [session])
    }
  }
}

/// An outline as the API gives it out: columns of small numbers, which a browser reads many times quicker than objects.
struct OutlineColumns {
  /// Each as what it is more than the one before.
  private var times = [Int64]()
  private var ids = [Int64]()
  private var types = [Int64]()
  private var launches = [Int64]()
  private var severities = [Int64]()
  private var durations = [Int64]()
  private var origins = [Int64]()
  var screens: [(id: Int64, name: String)] = []
  private var typeNames: [String] = []
  private var launchNames: [String] = []
  private var typeNumbers = Numbering()
  private var launchNumbers = Numbering()
  private var originNumbers = Numbering()
  private var last: (time: Int64, id: Int64) = (0, 0)
  private var newest: Int64 = 0
  /// The type of custom events.
  var custom: Int64?

  /// Custom events of the SDK's own, which have a place on the timeline: types of their own here, by numbers that no type has.
  private static let ownNames = [(name: "Frames", type: "frames"), (name: "App Launch", type: "app_launch")]
  private static let ownTypes = Dictionary(
    uniqueKeysWithValues: ownNames.enumerated().map { (Outline.origin(ofName: $1.name), -1 - Int64($0)) })

  /// Numbers by the order in which they come: small, whatever they were.
  private struct Numbering {
    var values: [Int64] = []
    private var places: [Int64: Int64] = [:]
    /// Runs of the same are the rule.
    private var last: (value: Int64, place: Int64)?

    mutating func place(of value: Int64) -> Int64 {
      if let last, last.value == value { return last.place }
      let place = places[value] ?? Int64(values.count)
      if place == values.count {
        places[value] = place
        values.append(value)
      }
      last = (value, place)
      return place
    }
  }

  mutating func add(
    timestamp: Int64, id: Int64, type: Int64, launch: Int64, severity: Int64, duration: Int64?, origin: Int64
  ) {
    times.append(timestamp &- last.time)
    ids.append(id - last.id)
    last = (timestamp, id)
    newest = max(newest, id)
    let ownType = type == custom ? Self.ownTypes[origin] : nil
    types.append(typeNumbers.place(of: ownType ?? type))
    launches.append(launchNumbers.place(of: launch))
    severities.append(severity)
    durations.append(duration ?? -1)
    origins.append(originNumbers.place(of: origin))
  }

  mutating func addNames(_ database: Database) throws {
    typeNames = try typeNumbers.values.map {
      if $0 < 0 { return Self.ownNames[Int(-1 - $0)].type }
      return try String.fetchOne(database, sql: "SELECT name FROM event_type WHERE id = ?", arguments: [$0]) ?? ""
    }
    launchNames = try launchNumbers.values.map {
      try String.fetchOne(database, sql: "SELECT launchId FROM launch WHERE id = ?", arguments: [$0]) ?? ""
    }
  }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("newest", newest)
      $0.member("complete", times.count < OutlineQuery.most)
      $0.array("typeNames") { for name in typeNames { $0.string(name) } }
      $0.array("launchNames") { for name in launchNames { $0.string(name) } }
      for (name, column) in [
        ("times", times), ("ids", ids), ("types", types), ("launches", launches), ("severities", severities),
        ("durations", durations), ("origins", origins),
      ] {
        $0.array(name) { for value in column { $0.number(value) } }
      }
      $0.array("screens") {
        for (id, name) in screens {
          $0.array {
            $0.number(id)
            $0.string(name)
          }
        }
      }
    }
  }
}
