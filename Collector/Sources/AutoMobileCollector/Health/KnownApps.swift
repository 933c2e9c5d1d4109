import GRDB

/// The apps that have sessions, the busiest first, each with its versions, the newest first: as many as somebody can choose
/// from. How many there are besides is said.
struct KnownApps {
  struct App {
    var bundleId: String?
    var versions: [String]
    var otherVersions: Int
  }

  private struct Tally: Summable {
    var count: Int64 = 0
    mutating func add(_ other: Tally) { count += other.count }
  }

  static let listed = 100
  private(set) var apps: [App]
  private(set) var otherApps: Int

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

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.array("apps") {
      for app in apps {
        $0.object {
          $0.member("bundleId", app.bundleId)
          $0.array("versions") { for version in app.versions { $0.string(version) } }
          if app.otherVersions > 0 { $0.member("otherVersions", Int64(app.otherVersions)) }
        }
      }
    }
    if otherApps > 0 { json.member("otherApps", Int64(otherApps)) }
  }
}
