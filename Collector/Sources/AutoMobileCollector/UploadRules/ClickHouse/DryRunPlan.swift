import AutoMobileClickHouse
import AutoMobileJournal

/// Which launches a dry run looks at, by device.
struct DryRunPlan: Sendable {
  struct Launch: Sendable {
    var project: String
    var id: LaunchID
    /// As its app calls it.
    var name: String
    /// Those of which it told.
    var sessions: [String]
    var first: Int64

    /// Where its events lie.
    var range: [SQL] {
      [
        "project = \(text: project)", "session IN (\(SQL.joined(sessions.map { "\(text: $0)" }, ", ")))",
        "launch = \(text: name)",
      ]
    }
  }

  /// The device that was heard of last comes first; of each, the launch that came first.
  private(set) var devices: [[Launch]] = []
  private(set) var isCut = false
  /// The types of events that there are, with numbers.
  private(set) var types: [(name: String, id: Int64)] = []

  private struct Name: Hashable, Sendable {
    var project: String
    var launch: String
  }

  init(_ reading: ClickHouseReading, from: Int64, bundle: String?, most: Int) async throws {
    var order: [Name] = []
    var seen: Set<Name> = []
    var names: Set<String> = []
    for session in try await Self.sessions(reading, from: from, bundle: bundle, most: most) {
      names.formUnion(session.types)
      for launch in session.launches {
        let name = Name(project: session.project, launch: launch)
        guard !isCut, seen.insert(name).inserted else { continue }
        isCut = order.count == most
        if !isCut { order.append(name) }
      }
    }
    types = names.sorted().enumerated().map { ($1, Int64($0)) }
    var places: [String: Int] = [:]
    for start in stride(from: 0, to: order.count, by: 500) {
      let some = order[start..<min(start + 500, order.count)]
      let (parts, owners) = try await (Self.parts(some, reading), Self.devices(some, reading))
      let others = try await Self.others(some, reading)
      for name in some {
        guard let id = LaunchID(name.launch), let part = parts[name] else { continue }
        let sessions = Set(part.sessions).union(others[name] ?? [])
        let launch = Launch(
          project: name.project, id: id, name: name.launch, sessions: sessions.sorted(), first: part.first)
        let device = owners[name] ?? "\(name.project) \(name.launch)"
        if let place = places[device] {
          devices[place].append(launch)
        } else {
          places[device] = devices.count
          devices.append([launch])
        }
      }
    }
    for index in devices.indices { devices[index].sort { ($0.first, $0.name) < ($1.first, $1.name) } }
  }

  private struct Session: Sendable {
    var project: String
    var session: String
    var launches: [String]
    var types: [String]
  }

  /// Those that were heard of last; what came out of a file was recorded under nobody's rules.
  private static func sessions(
    _ reading: ClickHouseReading, from: Int64, bundle: String?, most: Int
  ) async throws -> [Session] {
    let columns = ["launches", "types", "last", "bundle"].map { SessionTables.value($0) ?? "''" }
    var filter: [SQL] = ["said_last >= \(from)"]
    if let bundle { filter.append("said_bundle = \(text: bundle)") }
    let statement = reading.sessions(
      SeenSessions(
        selected: [
          "\(columns[0]) AS said_launches", "\(columns[1]) AS said_types", "\(columns[2]) AS said_last",
          "\(columns[3]) AS said_bundle",
        ], range: ["NOT startsWith(project, 'file ')"], filter: filter, order: ["said_last DESC"], limit: most)
    ).inside { "SELECT project, session, said_launches, said_types FROM (\($0))" }
    return try await reading.rows(statement) {
      Session(
        project: try $0.string(), session: try $0.string(), launches: try $0.array { try $0.string() },
        types: try $0.array { try $0.string() })
    }
  }

  private static func isOne(of launches: ArraySlice<Name>) -> SQL {
    "(project, launch) IN (\(SQL.joined(launches.map { "(\(text: $0.project), \(text: $0.launch))" }, ", ")))"
  }

  /// When each began, and the sessions that it was in.
  private static func parts(
    _ launches: ArraySlice<Name>, _ reading: ClickHouseReading
  ) async throws -> [Name: (first: Int64, sessions: [String])] {
    let statement = reading.copies(
      "project, launch, min(ifNull(first, \(Int64.max))), groupUniqArray(session)", of: TelemetryTables.launchParts,
      [isOne(of: launches)], "GROUP BY project, launch HAVING \(LaunchName.hasCome)")
    let found = try await reading.rows(statement) { row in
      (
        Name(project: try row.string(), launch: try row.string()), try row.int(Int64.self),
        try row.array { try $0.string() }
      )
    }
    return Dictionary(
      found.map { ($0, (first: $1 == .max ? 0 : $1, sessions: $2)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The sessions of other launches of which they told: in reports and in summaries.
  private static func others(
    _ launches: ArraySlice<Name>, _ reading: ClickHouseReading
  ) async throws -> [Name: [String]] {
    let tables = [TelemetryTables.reports, TelemetryTables.summaries]
    let parts = tables.map { reading.copies("project, launch, session", of: $0, [isOne(of: launches)]) }
    let statement = SeenSQL.together(parts, " UNION ALL ").inside {
      "SELECT project, launch, groupUniqArray(session) FROM (\($0)) GROUP BY project, launch"
    }
    let found = try await reading.rows(statement) { row in
      (Name(project: try row.string(), launch: try row.string()), try row.array { try $0.string() })
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// By what their first context says; those that events carry, which have numbers below 0, come last.
  private static func devices(
    _ launches: ArraySlice<Name>, _ reading: ClickHouseReading
  ) async throws -> [Name: String] {
    let device: SQL = "visitParamExtractString(json, 'anonymousId')"
    let statement = reading.copies(
      "project, launch, argMin(\(device), toUInt64(context))", of: TelemetryTables.contexts,
      [isOne(of: launches), "notEmpty(\(device))"], "GROUP BY project, launch")
    let found = try await reading.rows(statement) {
      (Name(project: try $0.string(), launch: try $0.string()), try $0.string())
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
