/// Hangs of the main thread: how many, how long, where.
struct HangStatistics {
  struct Sums: Summable {
    var count: Int64 = 0
    /// Milliseconds.
    var total = 0.0
    var longest = 0.0
    var sessions: Set<Int64> = []

    mutating func add(_ other: Sums) {
      count += other.count
      total += other.total
      longest = max(longest, other.longest)
      sessions.formUnion(other.sessions)
    }
  }

  var all = Sums()
  var versions = NamedSums<AppVersion, Sums>()
  var trend: [Int64]
  var issues: [(name: String, title: String, count: Int64)] = []
  let filter: HealthFilter

  static let listed = 6

  static func write(_ sums: Sums, to json: inout JSONOutput) {
    json.member("count", sums.count)
    json.member("totalMs", number: sums.total)
    json.member("longestMs", number: sums.longest)
    json.member("sessions", Int64(sums.sessions.count))
  }

  /// - Parameters:
  ///   - sessions: how many each version had.
  ///   - bySummary: of the same time, sessions that their devices tell of in summaries, and of which not everything is here: of them,
  ///     only what came is counted.
  func write(
    to json: inout JSONOutput, sessions: NamedSums<AppVersion, Stability.Sessions>, bySummary: Int64
  ) {
    json.object("hangs") {
      Self.write(all, to: &$0)
      $0.member("sessionsBySummary", bySummary)
      $0.versions(versions.listed) { version, sums, json in
        Self.write(sums, to: &json)
        json.member("ofSessions", sessions.sums[version]?.count)
      }
      $0.trend(trend, of: filter) { $1.member("count", $0) }
      $0.array("issues") {
        for issue in issues {
          $0.object {
            $0.member("id", issue.name)
            $0.member("title", issue.title)
            $0.member("count", issue.count)
          }
        }
      }
    }
  }
}
