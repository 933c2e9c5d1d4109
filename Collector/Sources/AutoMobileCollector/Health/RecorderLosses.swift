import GRDB

/// What the recorder itself lost, and why: the ledgers of all launches together.
struct RecorderLosses {
  private struct Sums: Summable {
    var launches: Int64 = 0
    /// Launches that may still deliver.
    var open: Int64 = 0
    var recorded: Int64 = 0
    var stored: Int64 = 0
    var duplicates: Int64 = 0
    var quarantined: Int64 = 0
    var torn: Int64 = 0
    var lost: Int64 = 0
    var expired: Int64 = 0
    /// On devices: neither delivered nor dropped, and not lost.
    var kept: Int64 = 0
    var dropped: [String: Int64] = [:]

    var droppedSum: Int64 { dropped.values.reduce(0, &+) }
    var count: Int64 { launches }

    mutating func add(_ other: Sums) {
      launches += other.launches
      open += other.open
      recorded &+= other.recorded
      stored &+= other.stored
      duplicates &+= other.duplicates
      quarantined &+= other.quarantined
      torn &+= other.torn
      lost &+= other.lost
      expired &+= other.expired
      kept &+= other.kept
      for (reason, count) in other.dropped {
        // Reasons are few and known; what a hostile ledger invents is one reason together.
        let name = dropped[reason] != nil || dropped.count < RecorderLosses.reasons ? reason : "other"
        dropped[name, default: 0] &+= count
      }
    }
  }

  private var all = Sums()
  private var versions = NamedSums<AppVersion, Sums>()
  private var worst: [(launch: String, session: String?, at: Int64?, dropped: Int64, lost: Int64)] = []

  private static let listed = 8
  /// Why something was dropped, told apart.
  private static let reasons = 30

  init(_ filter: HealthFilter, _ database: Database) throws {
    try add("launch.last", where: "launch.last", filter, database)
    // Of those of which nothing has come but their ledger, it is known when that came.
    try add("launch.heard", where: "launch.last IS NULL AND launch.heard", filter, database)
    keepTheWorst()
  }

  /// - Parameters:
  ///   - time: by which a launch is within the time or not.
  ///   - condition: ends with what is compared with the time.
  private mutating func add(
    _ time: String, where condition: String, _ filter: HealthFilter, _ database: Database
  ) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT \(time), launch.bundleId, recorded, stored, duplicates, quarantined, torn, dropped, final, launchId,
          expired, session.appVersion, session.sessionId, kept
        FROM launch LEFT JOIN session ON session.id = (
          SELECT MAX(session) FROM session_launch WHERE session_launch.launch = launch.id)
        WHERE \(condition) >= ? AND \(time) < ?
        """, arguments: [filter.from, filter.to])
    while let row = try rows.next() {
      guard filter.admits(app: row[1], version: row[11]) else { continue }
      var sums = Sums(launches: 1)
      let isFinal: Bool = row[8]
      sums.open = isFinal ? 0 : 1
      (sums.recorded, sums.stored, sums.duplicates) = (row[2], row[3], row[4])
      (sums.quarantined, sums.torn, sums.expired) = (row[5], row[6], row[10])
      var dropped: String = row[7]
      if dropped != "{}" {
        let tree = dropped.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
        if case .object(let reasons)? = tree {
          for (reason, count) in reasons where count.integer ?? 0 > 0 { sums.dropped[reason] = count.integer }
        }
      }
      sums.kept =
        LaunchRow.kept(
          row[13], of: sums.recorded, dropped: sums.droppedSum, stored: sums.stored, quarantined: sums.quarantined) ?? 0
      // An SDK that keeps no ledger says nothing of losses.
      if isFinal, sums.recorded > 0 {
        sums.lost = max(0, sums.recorded &- sums.droppedSum &- sums.stored &- sums.quarantined &- sums.kept)
      }
      all.add(sums)
      versions[AppVersion(row[1], row[11])].add(sums)
      if sums.droppedSum > 0 || sums.lost > 0 {
        worst.append((row[9], row[12], row[0], sums.droppedSum, sums.lost))
        if worst.count > 200 { keepTheWorst() }
      }
    }
  }

  private mutating func keepTheWorst() {
    worst.sort { ($0.lost, $0.dropped, $0.launch) > ($1.lost, $1.dropped, $1.launch) }
    worst = Array(worst.prefix(Self.listed))
  }

  func write(to json: inout JSONOutput) {
    json.object("recorder") {
      Self.write(all, to: &$0)
      $0.versions(versions.listed) { _, sums, json in Self.write(sums, to: &json) }
      $0.array("worst") {
        for launch in worst {
          $0.object {
            $0.member("launchId", launch.launch)
            $0.member("sessionId", launch.session)
            $0.member("at", launch.at)
            $0.member("dropped", launch.dropped)
            $0.member("lost", launch.lost)
          }
        }
      }
    }
  }

  private static func write(_ sums: Sums, to json: inout JSONOutput) {
    json.member("launches", sums.launches)
    json.member("open", sums.open)
    json.member("recorded", sums.recorded)
    json.member("stored", sums.stored)
    json.member("duplicates", sums.duplicates)
    json.member("quarantined", sums.quarantined)
    json.member("torn", sums.torn)
    json.member("lost", sums.lost)
    json.member("expired", sums.expired)
    json.member("kept", sums.kept)
    json.object("dropped") {
      for (reason, count) in sums.dropped.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
        $0.member(reason, count)
      }
    }
  }
}
