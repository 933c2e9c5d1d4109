/// How long launches took: by kind, by version, and over time.
struct LaunchTimes {
  struct Launch: Sendable {
    var event: Int64
    var sessionId: String
    var timestamp: Int64
    var kind: String
    /// In microseconds.
    var total: Int64
    var version: String
  }

  var all = Percentiles()
  var kinds = NamedSums<String, Percentiles>.Listed()
  var preMain = Percentiles()
  var versions = NamedSums<AppVersion, Percentiles>.Listed()
  var trend: [Percentiles]
  var slowest: [Launch] = []
  /// Of which only summaries tell.
  var bySummary: Int64 = 0
  let filter: HealthFilter

  /// Launches that are named.
  static let listed = 8
  static let listedKinds = 12

  func write(to json: inout JSONOutput) {
    json.object("launchTime") {
      all.writeMembers(to: &$0)
      $0.member("bySummary", bySummary)
      $0.object("preMain") { preMain.writeMembers(to: &$0) }
      $0.array("kinds") {
        for (kind, values) in kinds.listed {
          $0.object {
            $0.member("kind", kind)
            values.writeMembers(to: &$0)
          }
        }
      }
      if kinds.names > 0 {
        $0.object("otherKinds") {
          $0.member("names", Int64(kinds.names))
          kinds.others.writeMembers(to: &$0)
        }
      }
      $0.versions(versions) { _, values, json in values.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
      $0.array("slowest") {
        for launch in slowest {
          $0.object {
            $0.member("event", launch.event)
            $0.member("sessionId", launch.sessionId)
            $0.member("timestamp", launch.timestamp)
            $0.member("kind", launch.kind)
            $0.member("totalMs", number: Double(launch.total) / 1000)
            $0.member("version", launch.version)
          }
        }
      }
    }
  }
}
