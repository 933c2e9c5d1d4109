/// The apps that have sessions, the busiest first, each with its versions, the newest first: as many as somebody can choose
/// from. How many there are besides is said.
struct KnownApps {
  struct App {
    var bundleId: String?
    var versions: [String]
    var otherVersions: Int
  }

  struct Tally: Summable {
    var count: Int64 = 0
    mutating func add(_ other: Tally) { count += other.count }
  }

  static let listed = 100
  var apps: [App]
  var otherApps: Int

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

/// Sessions counted by app and version.
struct AppTallies {
  fileprivate var all = NamedSums<String, KnownApps.Tally>()
  fileprivate var versions: [String: NamedSums<String, KnownApps.Tally>] = [:]

  /// An app without a name, and a version that none was said of, are "".
  mutating func add(_ app: String, _ version: String, _ count: Int64) {
    let tally = KnownApps.Tally(count: count)
    all[app].add(tally)
    if !version.isEmpty { versions[app, default: NamedSums()][version].add(tally) }
  }
}

extension KnownApps {
  init(_ tallies: AppTallies) {
    let sorted = tallies.all.listed.listed.sorted { ($0.sums.count, $1.name) > ($1.sums.count, $0.name) }
      .prefix(Self.listed)
    otherApps = tallies.all.sums.count - sorted.count
    apps = sorted.map { app, _ in
      let known = tallies.versions[app]?.listed ?? .init()
      return App(
        bundleId: app.isEmpty ? nil : app,
        versions: known.listed.map(\.name).sorted { VersionOrder.compare($0, $1) > 0 }, otherVersions: known.names)
    }
  }
}
