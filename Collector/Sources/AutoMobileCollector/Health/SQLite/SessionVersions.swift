import GRDB

/// Which version of which app a session is of, for sums over many rows: each session is looked up once.
struct SessionVersions {
  private let filter: HealthFilter
  /// Where each session's is in ``versions``; nil for what the filter does not admit.
  private var known: [Int64: Int?] = [:]
  private var indices: [AppVersion: Int] = [:]
  /// The one that was asked for last: rows of one session often follow each other.
  private var last: (session: Int64, version: Int?)?
  var versions: [(app: AppVersion, sums: NetworkStatistics.Sums)] = []

  init(_ filter: HealthFilter) { self.filter = filter }

  /// Whether one app or version is asked for.
  var isNarrow: Bool { filter.bundleId != nil || filter.version != nil }

  /// Its place in ``versions``; nil when it is not asked for, or no longer there.
  mutating func version(of session: Int64, _ database: Database) throws -> Int? {
    if let last, last.session == session { return last.version }
    let version: Int? = try known[session] ?? find(session, database)
    last = (session, version)
    return version
  }

  private mutating func find(_ session: Int64, _ database: Database) throws -> Int? {
    let statement = try database.cachedStatement(sql: "SELECT bundleId, appVersion FROM session WHERE id = ?")
    let app = try Row.fetchOne(statement, arguments: [session]).map { AppVersion($0[0], $0[1]) }
    let version = app.flatMap { filter.admits(app: $0.bundleId, version: $0.version) ? index(of: $0) : nil }
    known.updateValue(version, forKey: session)
    return version
  }

  private mutating func index(of app: AppVersion) -> Int {
    if let index = indices[app] { return index }
    versions.append((app, .init()))
    indices[app] = versions.count - 1
    return versions.count - 1
  }
}
