import AutoMobileJournal
import GRDB
import GRDBSQLite
import NIOCore

/// Holds rules against what is stored of the last days: device by device, the newest first, each launch from its beginning.
///
/// Bounded in time, launches and events: what is beyond is left out, and the answer says so. Of the events, one is in memory at a time.
struct SQLiteDryRuns: DryRunReading {
  typealias Limits = DryRunLimits

  let store: EventStore
  var limits = Limits()

  func run(_ scope: ReadScope, _ rules: [UploadRule], of bundle: String?, now: Int64) async throws -> DryRun {
    let (limits, from) = (limits, now - limits.milliseconds)
    return try await store.read(scope, .heavy) { database in
      var run = DryRun(figures: DryRunFigures(rules: rules.count), from: from, to: now)
      let compiled = try Self.compile(rules, database)
      var plan = Plan(from: from, bundle: bundle, most: limits.launches)
      // What it has found by then is looked at.
      if try TimeLimit.run(limits.seconds / 4, in: database, { try plan.find(in: database) }) == nil {
        plan.isCut = true
      }
      let devices = plan.devices
      var left = limits.events
      let end = ContinuousClock.now + .seconds(limits.seconds * 3 / 4)
      let isDone: Void? = try TimeLimit.run(limits.seconds * 3 / 4, in: database) {
        for device in devices {
          var look = DryRunDevice(compiled)
          defer {
            look.finish(into: &run.figures)
            if look.isFull { run.isPartial = true }
          }
          for launch in device {
            guard left > 0, ContinuousClock.now < end else { return run.isPartial = true }
            let most = min(left, limits.eventsOfLaunch)
            if try Self.look(at: launch, from: from, most: most, until: end, compiled, &look, database) {
              run.isPartial = true
            }
            left -= look.eventsOfLaunch
          }
        }
      }
      if isDone == nil || plan.isCut { run.isPartial = true }
      run.sample = try Self.sample(devices, database)
      return run
    }
  }

  private static func compile(_ rules: [UploadRule], _ database: Database) throws -> DryRunDevice.Rules {
    let types = try Row.fetchAll(database, sql: "SELECT name, id FROM event_type").map { row in
      (name: row[0] as String, id: row[1] as Int64)
    }
    return DryRunDevice.Rules(rules, types: types)
  }

  /// - Parameter end: what comes after that is left out. SQLite looks at its own clock, and not at what is done with its rows: rules
  ///   for long texts take longer than reading them.
  /// - Returns: whether the launch has more events than were looked at.
  private static func look(
    at launch: Plan.Launch, from: Int64, most: Int, until end: ContinuousClock.Instant, _ rules: DryRunDevice.Rules,
    _ device: inout DryRunDevice, _ database: Database
  ) throws -> Bool {
    device.begin(launch.id)
    // What has no position of its own comes from nothing that knows rules. Length alone reads no payload.
    let types = rules.readTypes.map(String.init).joined(separator: ",")
    let sql = """
      SELECT session, type, timestamp, length(payload), CASE WHEN type IN (\(types)) OR context IS NULL
        OR context IN (SELECT id FROM context WHERE launch = ?1 AND contextId < 0) THEN payload END, duration
      FROM event WHERE launch = ?1 AND sequence < ?2 AND timestamp >= ?3 ORDER BY sequence LIMIT ?4
      """
    let name = try database.cachedStatement(sql: "SELECT given FROM session WHERE id = ?")
    var count = 0
    var isOver = false
    try RawRows.each(
      database, sql: sql, arguments: [launch.row, SyntheticNames.firstPosition, from, most + 1]
    ) { row in
      count += 1
      isOver = isOver || ContinuousClock.now >= end
      guard count <= most, !isOver else { return }
      try device.look(
        at: DryRunDevice.Event(
          session: row.integer(0), type: row.integer(1), timestamp: row.integer(2), duration: row.integer(5),
          bytes: row.integer(3), payload: row.bytes(4))
      ) { try String.fetchOne(name, arguments: [$0]) ?? "" }
    }
    return count > most || isOver
  }

  /// How well events of the newest launches compress, about as an SDK does it.
  private static func sample(_ devices: [[Plan.Launch]], _ database: Database) throws -> DryRun.Sample {
    var text = ByteBuffer()
    for launch in devices.prefix(8).compactMap(\.last) {
      try RawRows.each(
        database, sql: "SELECT payload FROM event WHERE launch = ? ORDER BY sequence LIMIT \(DryRun.Sample.events)",
        arguments: [launch.row]
      ) { row in
        if let bytes = row.bytes(0), text.readableBytes < DryRun.Sample.most {
          text.writeBytes(bytes.prefix(DryRun.Sample.longest))
        }
      }
    }
    return DryRun.Sample(text)
  }
}

extension SQLiteDryRuns {
  /// Which launches are looked at, by device.
  fileprivate struct Plan {
    struct Launch {
      var row: Int64
      var id: LaunchID
      var first: Int64
    }

    let from: Int64
    let bundle: String?
    let most: Int
    var isCut = false
    /// By device, in the order in which they were found.
    private var found: [(key: String, launches: [Launch])] = []
    private var places: [String: Int] = [:]

    init(from: Int64, bundle: String?, most: Int) {
      self.from = from
      self.bundle = bundle
      self.most = most
    }

    /// The device that was heard of last comes first; of each, the launch that came first.
    var devices: [[Launch]] { found.map { $0.launches.sorted { ($0.first, $0.row) < ($1.first, $1.row) } } }

    mutating func find(in database: Database) throws {
      var seen: Set<Int64> = []
      let launch = try database.cachedStatement(
        sql: """
          SELECT launchId, given, IFNULL(first, 0), (SELECT json_extract(CAST(json AS TEXT), '$.anonymousId') AS device
            FROM context WHERE launch = launch.id AND json_valid(CAST(json AS TEXT)) AND device IS NOT NULL
            ORDER BY contextId < 0, contextId LIMIT 1)
          FROM launch WHERE id = ? AND NOT EXISTS (SELECT 1 FROM owner WHERE owner.id = launch.owner AND name LIKE 'file %')
          """)
      // The plus sign keeps the order of time the one that is walked through.
      let app = bundle == nil ? "" : "AND +session.bundleId = ?2"
      var arguments: StatementArguments = [from]
      if let bundle { arguments += [bundle] }
      try RawRows.each(
        database,
        sql: """
          SELECT session_launch.launch FROM session CROSS JOIN session_launch ON session_launch.session = session.id
          WHERE session.last >= ?1 \(app) ORDER BY session.last DESC
          """, arguments: arguments
      ) { row in
        let number = row.integer(0)
        guard !isCut, seen.insert(number).inserted else { return }
        guard seen.count <= most else { return isCut = true }
        guard let known = try Row.fetchOne(launch, arguments: [number]), let id = LaunchID(known[1] as String) else {
          return
        }
        add(Launch(row: number, id: id, first: known[2]), device: String.fromDatabaseValue(known[3]) ?? known[0])
      }
    }

    private mutating func add(_ launch: Launch, device: String) {
      if let place = places[device] { return found[place].launches.append(launch) }
      places[device] = found.count
      found.append((device, [launch]))
    }
  }
}
