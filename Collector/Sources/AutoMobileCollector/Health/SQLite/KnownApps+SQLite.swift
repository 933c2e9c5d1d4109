import GRDB

extension KnownApps {
  init(_ database: Database) throws {
    var all = NamedSums<String, Tally>()
    var versions: [String: NamedSums<String, Tally>] = [:]
    // An app without a name, and a version that none was said of, are "".
    try RawRows.each(
      database,
      sql: """
        SELECT bundleId, appVersion, COUNT(*) FROM session WHERE events > 0 OR told > 0 GROUP BY bundleId, appVersion
        """, arguments: []
    ) { row in
      let (app, version, count) = (row.text(0), row.text(1), Tally(count: row.integer(2)))
      all[app].add(count)
      if !version.isEmpty { versions[app, default: NamedSums()][version].add(count) }
    }
    let sorted = all.listed.listed.sorted { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }.prefix(Self.listed)
    otherApps = all.sums.count - sorted.count
    apps = sorted.map { app, _ in
      let known = versions[app]?.listed ?? .init()
      return App(
        bundleId: app.isEmpty ? nil : app,
        versions: known.listed.map(\.name).sorted { VersionOrder.compare($0, $1) > 0 }, otherVersions: known.names)
    }
  }
}
