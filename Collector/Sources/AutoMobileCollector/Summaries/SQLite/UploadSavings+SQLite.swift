import GRDB

extension UploadSavings {
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
}
