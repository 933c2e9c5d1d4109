/// Frames that came too late: by screen, by version, and over time.
struct FrameStatistics {
  /// What was measured while a screen was looked at.
  struct Visit {
    var frames: Int64
    var slow: Int64
    var frozen: Int64
    var duration: Int64
    var worst: Int64
    /// The first that is known of a visit; of one whose end was never told, there are several rows.
    var isFirst = true
    var isUnfinished: Bool
  }

  struct Sums: Summable {
    var visits: Int64 = 0
    /// Of these, such as ended with the process: of them, only the seconds with late frames are known.
    var unfinished: Int64 = 0
    var frames: Int64 = 0
    var slow: Int64 = 0
    var frozen: Int64 = 0
    var duration: Int64 = 0
    /// In microseconds.
    var worst: Int64 = 0

    mutating func add(_ visit: Visit) {
      if visit.isFirst { visits += 1 }
      if visit.isFirst && visit.isUnfinished { unfinished += 1 }
      frames += visit.frames
      slow += visit.slow
      frozen += visit.frozen
      duration += visit.duration
      worst = max(worst, visit.worst)
    }

    var count: Int64 { visits }

    mutating func add(_ other: Sums) {
      visits += other.visits
      unfinished += other.unfinished
      frames &+= other.frames
      slow &+= other.slow
      frozen &+= other.frozen
      duration &+= other.duration
      worst = max(worst, other.worst)
    }

    func writeMembers(to json: inout JSONOutput) {
      json.member("visits", visits)
      if unfinished > 0 { json.member("unfinished", unfinished) }
      json.member("frames", frames)
      json.member("slow", slow)
      json.member("frozen", frozen)
      json.member("durationMs", duration)
      json.member("worstMs", number: Double(worst) / 1000)
    }
  }

  struct Screen {
    var sums = Sums()
    var crashes: Int64 = 0
    /// The event of its worst visit; of a screen without frames, of its last crash.
    var event: Int64 = 0
    var session: Int64 = 0
    var sessionId = ""
  }

  var all = Sums()
  var screens: [(name: String, screen: Screen)] = []
  var otherScreens = Screen()
  var otherScreenNames = 0
  var versions = NamedSums<AppVersion, Sums>.Listed()
  var trend: [Sums]
  let filter: HealthFilter
  /// Not all crashes are counted.
  var isPartial = false

  static let listed = 20
  /// Crashes that are counted, the newest.
  static let mostCrashes = 200_000

  /// Lists screens: those that hold people up most, crashes first, then frozen frames, then slow ones.
  mutating func list(_ byScreen: [String: Screen]) {
    screens = byScreen.map { ($0.key, $0.value) }.sorted {
      ($0.screen.crashes, $0.screen.sums.frozen, $0.screen.sums.slow, $1.name)
        > ($1.screen.crashes, $1.screen.sums.frozen, $1.screen.sums.slow, $0.name)
    }
    for (_, screen) in screens.dropFirst(Self.listed) {
      otherScreens.sums.add(screen.sums)
      otherScreens.crashes += screen.crashes
    }
    otherScreenNames = max(0, screens.count - Self.listed)
    screens = Array(screens.prefix(Self.listed))
  }

  /// - Parameter bySummary: of the same time, sessions that their devices tell of in summaries, and of which not everything is here:
  ///   of them, only what came is counted.
  func write(to json: inout JSONOutput, bySummary: Int64) {
    json.object("frames") {
      all.writeMembers(to: &$0)
      $0.member("sessionsBySummary", bySummary)
      $0.member("partial", isPartial)
      $0.array("screens") {
        for (name, screen) in screens {
          $0.object {
            $0.member("screen", name)
            screen.sums.writeMembers(to: &$0)
            $0.member("crashes", screen.crashes)
            $0.member("event", screen.event)
            $0.member("sessionId", screen.sessionId)
          }
        }
      }
      if otherScreenNames > 0 {
        $0.object("otherScreens") {
          $0.member("names", Int64(otherScreenNames))
          otherScreens.sums.writeMembers(to: &$0)
          $0.member("crashes", otherScreens.crashes)
        }
      }
      $0.versions(versions) { _, sums, json in sums.writeMembers(to: &json) }
      $0.trend(trend, of: filter) { $0.writeMembers(to: &$1) }
    }
  }
}
