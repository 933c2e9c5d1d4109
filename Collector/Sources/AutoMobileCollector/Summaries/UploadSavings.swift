import GRDB

/// What devices keep instead of sending it, by app and week: kept bytes against bytes sent.
///
/// A device tells how much room a launch takes up there, which is whole files: more than its events have. So what is not sent counts as
/// its events' number times what events of the app have here on average, and never as more than that room.
struct UploadSavings {
  private struct Week: Summable {
    var launches: Int64 = 0
    var sentEvents: Int64 = 0
    var sentBytes: Int64 = 0
    var keptEvents: Int64 = 0
    /// The room on devices.
    var keptBytes: Int64 = 0
    /// Kept events and their room, launch by launch, until the average is known.
    var kept: [(events: Int64, bytes: Int64)] = []

    var count: Int64 { launches }

    mutating func add(_ other: Week) {
      launches += other.launches
      sentEvents &+= other.sentEvents
      sentBytes &+= other.sentBytes
      keptEvents &+= other.keptEvents
      keptBytes &+= other.keptBytes
      kept += other.kept
    }

    /// In bytes; nothing where no event has come that could tell how large they are.
    var saved: Int64 {
      guard sentEvents > 0 else { return 0 }
      let mean = Double(sentBytes) / Double(sentEvents)
      // Compared before it is made whole: what a ledger claims may be more than a number can be.
      return kept.reduce(0) { $0 &+ Int64(min(Double($1.bytes), mean * Double($1.events)).rounded()) }
    }
  }

  private struct Key: Hashable {
    var app: String
    /// When it begins: a Monday, UTC; in milliseconds since 1970.
    var week: Int64
  }

  /// How far back it goes when nobody says, in weeks: as long as devices' words are remembered.
  static let weeks: Int64 = 8
  private static let mostRows = 500
  /// Of one launch.
  private static let mostEvents: Int64 = 1_000_000_000_000
  private static let week: Int64 = 7 * HealthFilter.day
  /// The first Monday after 1970 began.
  private static let monday: Int64 = 4 * HealthFilter.day

  private let rows: [(app: String, week: Int64, sums: Week)]
  private let isPartial: Bool
  private let filter: HealthFilter

  init(_ filter: HealthFilter, _ database: Database) throws {
    self.filter = filter
    var sums: [Key: Week] = [:]
    func add(_ app: String?, at time: Int64?, _ change: (inout Week) -> Void) {
      guard let time, time >= filter.from, time < filter.to, filter.bundleId == nil || filter.bundleId == app else {
        return
      }
      let offset = time - Self.monday
      let start = Self.monday + (offset >= 0 ? offset / Self.week : (offset - Self.week + 1) / Self.week) * Self.week
      change(&sums[Key(app: app ?? "", week: start), default: Week()])
    }
    // What came out of a file was sent by nobody.
    try RawRows.each(
      database,
      sql: """
        SELECT launch.bundleId, launch.first, measured, bytes FROM launch
        WHERE last >= ?1 AND bytes > 0 AND owner NOT IN (SELECT id FROM owner WHERE name LIKE 'file %')
        """, arguments: [filter.from]
    ) { row in
      let (events, bytes) = (row.integer(2), row.integer(3))
      add(row.text(0), at: row.optionalInteger(1)) {
        $0.launches += 1
        $0.sentEvents &+= events
        $0.sentBytes &+= bytes
      }
    }
    try RawRows.each(
      database,
      sql: """
        SELECT IFNULL(launch.bundleId, SUBSTR(owner.name, 5)), startedAt,
          events + IFNULL(CAST(json_extract(launch.dropped, '$.expired') AS INTEGER), 0), toldEvents, launch_kept.bytes
        FROM launch_kept JOIN owner ON owner.id = launch_kept.owner
          LEFT JOIN launch ON launch.owner = launch_kept.owner AND launch.given = launch_kept.launch
        WHERE toldEvents > 0 AND launch_kept.received >= ?1 AND owner.name NOT LIKE 'file %'
        """, arguments: [filter.from]
    ) { row in
      let (events, told, bytes) = (min(row.integer(2), Self.mostEvents), row.integer(3), row.integer(4))
      guard events > 0 else { return }
      // Of what was told, a part may have been sent since. What went there for its age was never sent.
      let room = Int64(min(Double(bytes), Double(bytes) * Double(events) / Double(told)).rounded())
      add(row.text(0), at: row.optionalInteger(1)) {
        $0.keptEvents &+= events
        $0.keptBytes &+= room
        $0.kept.append((events, room))
      }
    }
    let sorted = sums.map { (app: $0.key.app, week: $0.key.week, sums: $0.value) }
      .sorted { ($0.week, $1.app) > ($1.week, $0.app) }
    rows = Array(sorted.prefix(Self.mostRows))
    isPartial = sorted.count > Self.mostRows
  }

  func write(to json: inout JSONOutput) {
    var all = Week()
    var saved: Int64 = 0
    for row in rows {
      all.add(row.sums)
      saved &+= row.sums.saved
    }
    json.object {
      $0.member("from", filter.from)
      $0.member("to", filter.to)
      Self.write(all, saved, to: &$0)
      $0.member("partial", isPartial)
      $0.array("weeks") {
        for row in rows {
          $0.object {
            $0.member("week", row.week)
            $0.member("bundleId", row.app.isEmpty ? nil : row.app)
            Self.write(row.sums, row.sums.saved, to: &$0)
          }
        }
      }
    }
  }

  private static func write(_ sums: Week, _ saved: Int64, to json: inout JSONOutput) {
    json.member("sentEvents", sums.sentEvents)
    json.member("sentBytes", sums.sentBytes)
    json.member("keptEvents", sums.keptEvents)
    json.member("keptBytes", sums.keptBytes)
    json.member("savedBytes", saved)
  }
}
