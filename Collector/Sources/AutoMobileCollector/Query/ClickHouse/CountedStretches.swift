import AutoMobileClickHouse

/// How many events there are, of what collectors counted when they took them in (``EventCountTable``).
///
/// Where stretches of a launch overlap, a device has sent again what other stretches have in part; and what a program of before took in,
/// nobody has counted. What that concerns, and nothing else, is counted by its events. So each event counts once, as if all were read.
struct CountedStretches {
  let reading: ClickHouseReading
  /// In a statement.
  var mostNames = 1000

  // MARK: By session and launch

  /// Events that are neither breadcrumbs nor summaries, as `project`, `session`, `launch`, and `events` and `errors` as far as they are
  /// asked for: inside of an IN, 18.16 fails over one that nobody reads.
  ///
  /// - Parameter range: what holds of whole sessions, and can be asked of any table that has them on their shards.
  func bySession(_ sums: [Sum], _ range: [SQL] = []) async throws -> SeenSQL {
    let uncounted = try await uncounted()
    // On each shard, which has all of a session. A set without anything would have all events be read, to find nothing.
    var others: SQL = """
      (project, session, launch) IN (SELECT project, session, launch FROM (\(stretches(sums, range, isOnShard: true).sql)) \
      WHERE overlaps = 1 UNION ALL SELECT '', '', '')
      """
    var conditions: SQL = "overlaps = 0"
    switch uncounted {
    case .none: break
    case .some(let names):
      others = "\(others) OR (project, session) IN (\(names))"
      conditions = "\(conditions) AND (project, session) NOT IN (\(names))"
    case .many(let names):
      others = "\(others) OR (project, session) GLOBAL IN (\(names))"
      conditions = "\(conditions) AND (project, session) NOT IN (\(names))"
    }
    let read = reading.copies(
      "project, session, launch, \(SQL.joined(sums.map(\.read), ", "))", of: TelemetryTables.events,
      range + [SessionColumns.isEvent, others], "GROUP BY project, session, launch"
    ).sql
    let columns = SQL.joined(["project", "session", "launch"] + sums.map(\.column), ", ")
    return stretches(sums, range, isOnShard: false).inside {
      "SELECT \(columns) FROM (\($0)) WHERE \(conditions) UNION ALL \(read)"
    }
  }

  /// Sessions of which a program of before has taken something in.
  private enum Uncounted {
    case none
    /// Their names.
    case some(SQL)
    /// A question for their names. Who asks it reads all events: 18.16 looks up nothing by what came from another server.
    case many(SQL)
  }

  private func uncounted() async throws -> Uncounted {
    func names(_ selected: SQL, _ ending: SQL = "") -> SeenSQL {
      reading.copies(
        selected, of: TelemetryTables.launchParts, ["session != ''"], ending, first: ["counted = 0"])
    }
    let found = try await reading.rows(
      names("project, session", "GROUP BY project, session LIMIT \(count: mostNames + 1)")
    ) { "(\(text: try $0.string()), \(text: try $0.string()))" as SQL }
    if found.isEmpty { return .none }
    return found.count > mostNames ? .many(names("project, session").sql) : .some(SQL.joined(found, ", "))
  }

  private func stretches(_ sums: [Sum], _ range: [SQL], isOnShard: Bool) -> SeenSQL {
    stretches(
      "any(project) AS its_project, any(session) AS its_session, launch", sums,
      ["breadcrumbs = 0"] + range, by: "shard, launch", isOnShard: isOnShard
    ).inside {
      """
      SELECT its_project AS project, its_session AS session, launch, \(SQL.joined(sums.map(\.once), ", ")), \
      \(Self.overlaps) FROM (\($0))
      """
    }
  }

  // MARK: By launch

  /// Of launches, all that is no breadcrumb, as `project`, `launch`, `stored` and `overlaps`. Where that is 1, or a part of the launch
  /// (``LaunchTables/parts``) says that nobody has counted it, only its events can tell.
  func byLaunch(_ range: [SQL]) -> SeenSQL {
    stretches("project, launch", [.stored], ["breadcrumbs = 0"] + range, by: "project, launch").inside {
      "SELECT project, launch, \(Sum.stored.once), \(Self.overlaps) FROM (\($0))"
    }
  }

  // MARK: Statements

  struct Sum: Sendable {
    fileprivate var column: SQL
    fileprivate var all: SQL
    /// Of events that are read.
    fileprivate var read: SQL

    static let stored = Sum(column: "stored", all: "all_stored", read: "toInt64(uniqExact(position)) AS stored")
    static let events = Sum(column: "events", all: "all_events", read: "toInt64(uniqExact(position)) AS events")
    static let errors = Sum(
      column: "errors", all: "all_errors", read: "toInt64(uniqExactIf(position, severity >= 4)) AS errors")

    /// Of each row, however often it has come.
    var once: SQL { "arraySum(arrayFilter((value, copy) -> copy = 1, \(all), of_row)) AS \(column)" }
  }

  /// Of one launch, or of one in a session: what is in more pieces is counted by its events.
  private static let most: SQL = "65536"

  /// Rows as they lie there, a copy beside the first, as columns of arrays.
  func stretches(
    _ selected: SQL, _ sums: [Sum], _ range: [SQL], by keys: SQL, isOnShard: Bool = false
  ) -> SeenSQL {
    let arrays = sums.map { "groupArray(\(Self.most))(\($0.column)) AS \($0.all)" as SQL }
    return reading.copies(
      """
      \(selected), count() > \(Self.most) AS are_too_many, groupArray(\(Self.most))(least) AS leasts, \
      groupArray(\(Self.most))(greatest) AS greatests, groupArray(\(Self.most))(whole) AS wholes, \
      arrayEnumerateUniq(leasts, greatests, wholes, groupArray(\(Self.most))(shard)) AS of_row, \
      arrayEnumerateUniq(leasts, greatests, wholes) AS of_stretch, \(SQL.joined(arrays, ", "))
      """, of: TelemetryTables.eventCounts, range, "GROUP BY \(keys)", isOnShard: isOnShard)
  }

  /// A stretch begins before the one in front of it ends. Several sessions may have parts of one stretch.
  static let overlaps: SQL = """
    (are_too_many OR arrayExists((before, after) -> before >= after, \
    arrayPopBack(arraySort(arrayFilter((value, copy) -> copy = 1, greatests, of_stretch))), \
    arrayPopFront(arraySort(arrayFilter((value, copy) -> copy = 1, leasts, of_stretch))))) AS overlaps
    """
}
