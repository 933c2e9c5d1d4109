/// One session as the API gives it out.
struct SessionRow: Weighed, Sendable {
  /// A session is live when something came within this time, in milliseconds, and not all of its launches have ended.
  static let liveMilliseconds: Int64 = 30_000

  /// Where it stands in the list that it was read from.
  var place: PageCursor
  var sessionId: String
  var bundleId: String?
  var appVersion: String?
  var userId: String?
  var tags: String?
  var device: String?
  var first: Int64?
  var last: Int64?
  var events: Int64
  var errors: Int64
  var lastScreen: String?
  var isLive: Bool
  var launches: [String] = []
  /// What ended its last launch; nil when no later launch has told.
  var lastEnd: String?
  var counts: [(type: String, count: Int64)] = []
  /// Nil when it came from an app.
  var imported: SessionImport?
  /// In a list: what went wrong, in short.
  var failures: [SessionFailure] = []
  /// What its device has said of it; nil where no summary has come.
  var told: ToldSession?
  /// The event by whose words it was found.
  var match: SearchMatch?

  var weight: Int {
    1100 + (tags?.utf8.count ?? 0) + (device?.utf8.count ?? 0) + (userId?.utf8.count ?? 0) + 40 * launches.count
      + (told?.weight ?? 0) + counts.reduce(0) { $0 + $1.type.utf8.count + 12 }
  }

  /// The members, inside an object that the caller has begun.
  func writeMembers(to json: inout JSONOutput) {
    json.member("sessionId", sessionId)
    json.member("bundleId", bundleId)
    json.member("appVersion", appVersion)
    json.member("userId", userId)
    json.member("tags", json: tags ?? "{}")
    json.member("device", json: device)
    json.array("launches") { for launch in launches { $0.string(launch) } }
    json.member("first", first)
    json.member("last", last)
    json.member("events", events)
    json.object("counts") { for (type, count) in counts { $0.member(type, count) } }
    json.member("errors", errors)
    json.member("live", isLive)
    json.member("lastScreen", lastScreen)
    json.member("lastEnd", lastEnd)
    if !failures.isEmpty {
      json.array("failures") {
        for failure in failures {
          $0.object {
            $0.member("event", failure.event)
            $0.member("type", failure.type)
            $0.member("title", failure.title)
          }
        }
      }
    }
    told?.write(to: &json)
    imported?.write(to: &json)
    match?.write(to: &json)
  }
}
