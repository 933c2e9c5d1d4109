import AutoMobileClickHouse
import AutoMobileJournal
import Foundation

/// What a launch is called here.
struct LaunchName: Hashable, Sendable {
  var project: String
  var launch: String
}

/// Launches, read out of ClickHouse.
///
/// What differs from one machine's index, and why: deliveries that came twice are not counted (``LaunchRow/duplicates`` is 0), since
/// nothing keeps count of what is dropped; what retention has deleted is not counted either (``LaunchRow/expired``).
struct ClickHouseLaunches: LaunchReading {
  let telemetry: ClickHouseTelemetry

  func list(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<LaunchRow> {
    guard limit > 0 else { return Page(isFull: true) }
    return try await telemetry.read(scope) { reading in
      let end = before?.id ?? .max
      let statement = reading.copies(
        "project, launch, min(id) AS began", of: TelemetryTables.launchParts, [],
        """
        GROUP BY project, launch HAVING began < \(end) AND \(LaunchName.hasCome) ORDER BY began DESC LIMIT \(count: limit)
        """)
      let found = try await reading.rows(statement) { row in
        let name = LaunchName(project: try row.string(), launch: try row.string())
        _ = try row.int(Int64.self)
        return name
      }
      return Page(try await reading.launches(found), limit: limit, bytes: reading.limits.pageBytes)
    }
  }

  func quarantine(_ scope: ReadScope, before: PageCursor?, limit: Int) async throws -> Page<QuarantineRow> {
    guard limit > 0 else { return Page(isFull: true) }
    return try await telemetry.read(scope) { reading in
      var rows = DistinctRows(
        TelemetryTables.quarantine,
        columns: ["id", "launch", "position", "kind", "received", "reason", "payload", "length"])
      if let before { rows.range = ["id < \(before.id)"] }
      rows.order = ["id DESC"]
      rows.limit = limit
      let found = try await reading.rows(reading.distinct(rows)) { row in
        QuarantineRow(
          id: try row.int(), launchId: try row.string(), sequence: try row.int(), kind: Int64(try row.int(UInt8.self)),
          receivedAt: try row.int(), reason: try row.string(), payload: Data(buffer: try row.bytes()),
          length: try row.int())
      }
      return Page(found, limit: limit, bytes: reading.limits.pageBytes)
    }
  }
}

/// How a launch ended.
struct ToldLaunchEnd: Sendable {
  var verdict: String
  var evidence: String
  var seen: Int64?
  /// Megabytes.
  var memory: Int64?
}

extension ClickHouseReading {
  private static func range(of names: [LaunchName]) -> [SQL] {
    func texts(_ values: some Sequence<String>) -> SQL {
      SQL.joined(Set(values).sorted().map { "\(text: $0)" }, ", ")
    }
    return ["project IN (\(texts(names.map(\.project)))) AND launch IN (\(texts(names.map(\.launch))))"]
  }

  /// What is known of how launches ended.
  func ends(of names: [LaunchName]) async throws -> [LaunchName: ToldLaunchEnd] {
    guard !names.isEmpty else { return [:] }
    var rows = DistinctRows(
      TelemetryTables.launchEnds, columns: ["project", "launch", "verdict", "evidence", "seen", "memory"])
    rows.range = Self.range(of: names)
    let found = try await self.rows(distinct(rows)) { row in
      (
        LaunchName(project: try row.string(), launch: try row.string()),
        ToldLaunchEnd(
          verdict: try row.string(), evidence: try row.string(), seen: try row.nullable { try $0.int() },
          memory: try row.nullable { try $0.int() })
      )
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// By their names, in a statement.
  private static let mostSessions = 5000
  private static let someSessions: SQL = "arraySlice(groupUniqArray(session), 1, \(count: mostSessions + 1))"

  private struct Part: Sendable {
    var began: Int64
    var first: Int64?
    var last: Int64?
    var bundle: String
    var sdk: String
    var sessions: [String]
    /// Who took it in has counted all of it.
    var isCounted: Bool
  }

  private struct Ledger: Sendable {
    var recorded: Int64
    var dropped: String
    var torn: Int64
    var kept: Int64?
  }

  /// Launches in the order of their names; those of which nothing has come are not in it.
  func launches(_ names: [LaunchName]) async throws -> [LaunchRow] {
    guard !names.isEmpty else { return [] }
    let range = Self.range(of: names)
    let parts = Dictionary(
      try await rows(
        copies(
          """
          project, launch, min(id), min(first), max(last), argMaxIf(bundle, id, notEmpty(bundle)), \
          argMaxIf(sdk, id, notEmpty(sdk)), \(Self.someSessions), min(counted)
          """, of: TelemetryTables.launchParts, range,
          "GROUP BY project, launch HAVING \(LaunchName.hasCome)")
      ) { row in
        (
          LaunchName(project: try row.string(), launch: try row.string()),
          Part(
            began: try row.int(), first: try row.nullable { try $0.int() }, last: try row.nullable { try $0.int() },
            bundle: try row.string(), sdk: try row.string(), sessions: try row.array { try $0.string() },
            isCounted: try row.bool())
        )
      }, uniquingKeysWith: { first, _ in first })
    var rows = DistinctRows(
      TelemetryTables.launches, columns: ["project", "launch", "recorded", "dropped", "torn", "kept"])
    rows.range = range
    let ledgers = Dictionary(
      try await self.rows(distinct(rows)) { row in
        (
          LaunchName(project: try row.string(), launch: try row.string()),
          Ledger(
            recorded: try row.int(), dropped: try row.string(), torn: try row.int(),
            kept: try row.nullable { try $0.int() })
        )
      }, uniquingKeysWith: { first, _ in first })
    let over = Set(
      try await self.rows(copies("DISTINCT project, launch", of: TelemetryTables.launches, range + ["final = 1"])) {
        LaunchName(project: try $0.string(), launch: try $0.string())
      })
    let stored = try await stored(
      of: names, in: Set(parts.values.flatMap(\.sessions)), counted: Set(parts.filter(\.value.isCounted).keys))
    let quarantined = try await quarantined(of: names)
    let ends = try await ends(of: names)
    return names.compactMap { name in
      guard let part = parts[name] else { return nil }
      let ledger = ledgers[name] ?? Ledger(recorded: 0, dropped: "{}", torn: 0, kept: nil)
      let dropped = Self.sum(ledger.dropped)
      let (count, broken) = (stored[name] ?? 0, quarantined[name] ?? 0)
      return LaunchRow(
        place: PageCursor(key: 0, id: part.began), launchId: name.launch,
        bundleId: part.bundle.isEmpty ? nil : part.bundle,
        sdkVersion: part.sdk.isEmpty ? nil : part.sdk, first: part.first, last: part.last, recorded: ledger.recorded,
        dropped: ledger.dropped.isEmpty ? "{}" : ledger.dropped, droppedSum: dropped, torn: ledger.torn,
        isFinal: over.contains(name), stored: count, duplicates: 0, quarantined: broken,
        kept: LaunchRow.kept(
          ledger.kept, of: ledger.recorded, dropped: dropped, stored: count, quarantined: broken),
        expired: 0, end: ends[name].map { ($0.verdict, $0.evidence, $0.seen) })
    }
  }

  private static func sum(_ dropped: String) -> Int64 {
    let counts = try? JSONDecoder().decode([String: Int64].self, from: Data(dropped.utf8))
    return (counts ?? [:]).values.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  /// Events that a launch delivered, each once: breadcrumbs have no part in its ledger.
  private func stored(
    of names: [LaunchName], in sessions: Set<String>, counted: Set<LaunchName>
  ) async throws -> [LaunchName: Int64] {
    guard !sessions.isEmpty else { return [:] }
    // By these they are found. A launch may have more of them than a statement takes.
    let list = SQL.joined(sessions.sorted().map { "\(text: $0)" }, ", ")
    let own: [SQL] = sessions.count > Self.mostSessions ? [] : ["session IN (\(list))"]
    let found = try await rows(CountedStretches(reading: self).byLaunch(Self.range(of: names) + own)) {
      (
        name: LaunchName(project: try $0.string(), launch: try $0.string()), count: try $0.int(Int64.self),
        overlaps: try $0.bool()
      )
    }
    let whole = found.filter { !$0.overlaps && counted.contains($0.name) }
    var stored = Dictionary(whole.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
    let overlapping = Set(found.filter(\.overlaps).map(\.name))
    let others = names.filter { !counted.contains($0) || overlapping.contains($0) }
    guard !others.isEmpty else { return stored }
    let read = try await rows(
      copies(
        "project, launch, uniqExactIf(position, type != 'breadcrumb')", of: TelemetryTables.events,
        Self.range(of: others) + own, "GROUP BY project, launch")
    ) { (LaunchName(project: try $0.string(), launch: try $0.string()), Int64(clamping: try $0.int(UInt64.self))) }
    stored.merge(read) { counted, _ in counted }
    return stored
  }

  private func quarantined(of names: [LaunchName]) async throws -> [LaunchName: Int64] {
    // Of events: of kinds 1 and 2 a ledger has counted one.
    let kinds: [Int64] = [RecordKind.event, .eventAndBreadcrumb].map { Int64($0.rawValue) }
    let found = try await rows(
      copies(
        "project, launch, uniqExact(position)", of: TelemetryTables.quarantine,
        Self.range(of: names) + ["has(\(SQLValue.ints(kinds)), toInt64(kind))"], "GROUP BY project, launch")
    ) { (LaunchName(project: try $0.string(), launch: try $0.string()), Int64(clamping: try $0.int(UInt64.self))) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }
}
