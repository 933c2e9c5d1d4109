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
