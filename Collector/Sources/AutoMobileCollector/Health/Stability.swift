/// Sessions without a crash, and what ended launches.
struct Stability {
  struct Sessions: Summable {
    var count: Int64 = 0
    var crashed: Int64 = 0
    /// Of which their devices have told more than is here: counted by their summaries.
    var bySummary: Int64 = 0
    var users = Users()

    mutating func add(isCrashed: Bool, isBySummary: Bool = false, user: UInt64? = nil) {
      count += 1
      if isBySummary { bySummary += 1 }
      if isCrashed { crashed += 1 }
      if let user { users.add(user, isCrashed: isCrashed) }
    }

    mutating func add(_ other: Sessions) {
      count += other.count
      crashed += other.crashed
      bySummary += other.bySummary
      users.add(other.users)
    }

    func writeMembers(to json: inout JSONOutput) {
      json.member("count", count)
      json.member("crashed", crashed)
    }

    func writeWithUsers(to json: inout JSONOutput) {
      writeMembers(to: &json)
      json.member("bySummary", bySummary)
      json.object("users") {
        $0.member("count", Int64(users.all.count))
        $0.member("crashed", Int64(users.crashed.count))
      }
    }
  }

  /// Those that apps gave a name, each once however many sessions they had. Known by hashes: names are long.
  struct Users: Sendable {
    private(set) var all: Set<UInt64> = []
    private(set) var crashed: Set<UInt64> = []

    mutating func add(_ user: UInt64, isCrashed: Bool) {
      all.insert(user)
      if isCrashed { crashed.insert(user) }
    }

    mutating func add(_ other: Users) {
      all.formUnion(other.all)
      crashed.formUnion(other.crashed)
    }

    /// Two apps may call two people the same.
    static func hash(_ user: String, app: String?) -> UInt64 {
      var text = "\(user)\u{1F}\(app ?? "")"
      return text.withUTF8 { SyntheticNames.hash(UnsafeRawBufferPointer($0), seed: 0x75_7365_72) }
    }
  }

  /// One that nobody wanted.
  struct End: Sendable {
    var at: Int64?
    var bundleId: String?
    var version: String?
    var verdict: String
    var evidence: String
    var sessionId: String
    var userId: String?
  }

  struct Ends: Summable {
    /// Ended, with or without a known verdict.
    var launches: Int64 = 0
    var verdicts: [String: Int64] = [:]
    /// Megabytes in use when they were last seen.
    var memory = Percentiles()

    var count: Int64 { launches }

    mutating func add(_ other: Ends) {
      launches += other.launches
      verdicts.merge(other.verdicts, uniquingKeysWith: +)
      memory.add(other.memory)
    }
  }

  var sessions = Sessions()
  var sessionsByVersion = NamedSums<AppVersion, Sessions>()
  var sessionTrend: [Sessions]
  var ends = Ends()
  var endsByVersion = NamedSums<AppVersion, Ends>()
  var endTrend: [[String: Int64]]
  var recent: [End] = []
  let filter: HealthFilter

  /// Ends that nobody wanted.
  static let abnormal = ["crash", "hang_kill", "out_of_memory"]
  static let listed = 12

  // MARK: JSON

  func write(to json: inout JSONOutput) {
    json.object("sessions") {
      sessions.writeWithUsers(to: &$0)
      $0.versions(sessionsByVersion.listed) { _, sums, json in sums.writeWithUsers(to: &json) }
      $0.trend(sessionTrend, of: filter) { $0.writeMembers(to: &$1) }
    }
    json.object("ends") {
      Self.write(ends, to: &$0)
      $0.versions(endsByVersion.listed) { _, ends, json in Self.write(ends, to: &json) }
      $0.trend(endTrend, of: filter) { Self.write($0, to: &$1) }
      $0.array("recent") {
        for end in recent {
          $0.object {
            $0.member("at", end.at)
            $0.member("bundleId", end.bundleId)
            $0.member("version", end.version)
            $0.member("verdict", end.verdict)
            $0.member("evidence", end.evidence)
            $0.member("sessionId", end.sessionId)
            $0.member("userId", end.userId)
          }
        }
      }
    }
  }

  static func write(_ ends: Ends, to json: inout JSONOutput) {
    json.member("count", ends.launches)
    write(ends.verdicts, to: &json)
    json.object("memoryMB") { ends.memory.writeMembers(to: &$0, unit: 1) }
  }

  static func write(_ verdicts: [String: Int64], to json: inout JSONOutput) {
    json.object("verdicts") {
      for (verdict, count) in verdicts.sorted(by: { $0.key < $1.key }) { $0.member(verdict, count) }
    }
  }
}
