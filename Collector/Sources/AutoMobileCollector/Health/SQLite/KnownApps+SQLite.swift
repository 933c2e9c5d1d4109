import GRDB

extension KnownApps {
  init(_ database: Database) throws {
    var tallies = AppTallies()
    try RawRows.each(
      database,
      sql: """
        SELECT bundleId, appVersion, COUNT(*) FROM session WHERE events > 0 OR told > 0 GROUP BY bundleId, appVersion
        """, arguments: []
    ) { row in
      tallies.add(row.text(0), row.text(1), row.integer(2))
    }
    self.init(tallies)
  }
}
