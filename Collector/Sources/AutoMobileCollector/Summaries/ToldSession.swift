import GRDB

/// What the device has said of a session, beside what of it is here.
struct ToldSession: Sendable {
  /// Where the events are that are not here.
  enum Place: String, Sendable, CaseIterable {
    /// All that the device has told of are here.
    case here
    /// On the device: they may be asked for.
    case device
    /// Nowhere any more: too old, their room was needed, or dropped.
    case gone
  }

  private(set) var place = Place.here
  /// Of these, not here.
  private(set) var missing: Int64 = 0
  /// When they go, in milliseconds since 1970; the last of them, and by the device's last word.
  private(set) var until: Int64?
  /// Everything that was recorded, by the device's last word.
  private(set) var events: Int64 = 0
  private var revision: Int64 = 0
  private(set) var startedAt: Int64
  private(set) var endedAt: Int64
  /// Nothing of it follows.
  private(set) var isFinal = false
  private var end: String?
  private var counts: [String: Int64] = [:]
  private var screens: [String] = []
  private var screenVisits: Int64 = 0
  private var launchTime: Int64?
  private var launchKind = ""
  private var slowFrames: Int64 = 0
  private var frozenFrames: Int64 = 0
  private var requests: [String: Int64] = [:]
  private(set) var errors: Int64 = 0
  private(set) var failures: Int64 = 0
  private(set) var crashes: Int64 = 0

  /// Of a session that goes on in another launch, all of them together.
  private static let launches = 20

  /// - Returns: nil when no summary of it has come.
  static func of(_ session: Int64, now: Int64, in database: Database) throws -> ToldSession? {
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT told.revision, startedAt, endedAt, told.final, ending, told.events, counts, screens, visits, launchTime,
            launchKind, slow, frozen, requests, told.errors, failures, crashes, IFNULL(session_launch.events, 0),
            IFNULL(launch.final, 0), launch_kept.events, launch_kept.until, told.kept, told.until
          FROM (SELECT session_summary.*, session.owner FROM session_summary JOIN session ON session.id = session_summary.session
              WHERE session_summary.session = ?1 ORDER BY endedAt DESC LIMIT \(launches)) AS told
            LEFT JOIN launch ON launch.owner = told.owner AND launch.given = told.launch
            LEFT JOIN session_launch ON session_launch.session = told.session AND session_launch.launch = launch.id
            LEFT JOIN (SELECT owner, launch, events, until FROM launch_kept) AS launch_kept
              ON launch_kept.owner = told.owner AND launch_kept.launch = told.launch
          """), arguments: [session])
    guard var told = rows.first.map({ ToldSession($0, now: now) }) else { return nil }
    for row in rows.dropFirst() { told.add(ToldSession(row, now: now)) }
    return told
  }

  private init(_ row: Row, now: Int64) {
    revision = row[0]
    (startedAt, endedAt) = (row[1], row[2])
    isFinal = row[3]
    end = row[4]
    events = row[5]
    counts = Self.counts(row[6])
    let named: String = row[7]
    screens = Self.tree(named)?.elements.compactMap(\.string) ?? []
    screenVisits = row[8]
    launchTime = row[9]
    launchKind = row[10]
    (slowFrames, frozenFrames) = (row[11], row[12])
    requests = Self.counts(row[13])
    (errors, failures, crashes) = (row[14], row[15], row[16])
    let (here, isOver): (Int64, Bool) = (row[17], row[18])
    let (kept, keptUntil): (Int64?, Int64?) = (row[19], row[20])
    let (keptThen, untilThen): (Int64, Int64?) = (row[21], row[22])
    missing = max(0, events - here)
    guard missing > 0 else { return }
    // What the launch keeps now may be of later sessions: of one that was over when nothing was kept, or whose time is over, nothing is
    // there.
    let until = [keptUntil, untilThen].compactMap(\.self).min()
    let isThere = !isOver && kept ?? 0 > 0 && until ?? .max > now && !(isFinal && keptThen == 0)
    place = isThere ? .device : .gone
    self.until = until
  }

  /// The same session in an earlier launch.
  private mutating func add(_ other: ToldSession) {
    missing += other.missing
    if place == .device || other.place == .device {
      until = [place == .device ? until : nil, other.place == .device ? other.until : nil].compactMap(\.self).max()
      place = .device
    } else if other.place == .gone {
      place = .gone
      until = [until, other.until].compactMap(\.self).max()
    }
    events += other.events
    revision = max(revision, other.revision)
    startedAt = min(startedAt, other.startedAt)
    counts.merge(other.counts, uniquingKeysWith: +)
    screens += other.screens.filter { !screens.contains($0) }
    screenVisits += other.screenVisits
    if launchTime == nil { (launchTime, launchKind) = (other.launchTime, other.launchKind) }
    slowFrames += other.slowFrames
    frozenFrames += other.frozenFrames
    requests.merge(other.requests, uniquingKeysWith: +)
    errors += other.errors
    failures += other.failures
    crashes += other.crashes
  }

  static func counts(_ json: String) -> [String: Int64] { tree(json)?.members.compactMapValues(\.integer) ?? [:] }

  private static func tree(_ json: String) -> JSONTree? {
    var json = json
    return json.withUTF8 { try? JSONTree(checking: UnsafeRawBufferPointer($0), maximumDepth: 4) }
  }

  var weight: Int { 500 + counts.count * 30 + screens.reduce(0) { $0 + $1.utf8.count + 4 } }

  /// A member, inside an object that the caller has begun.
  func write(to json: inout JSONOutput) {
    json.object("summary") {
      $0.member("place", place.rawValue)
      $0.member("missing", missing)
      $0.member("until", until)
      $0.member("revision", revision)
      $0.member("startedAt", startedAt)
      $0.member("endedAt", endedAt)
      $0.member("final", isFinal)
      $0.member("end", end)
      $0.member("events", events)
      $0.object("counts") { Self.write(counts, to: &$0) }
      $0.array("screens") { for screen in screens { $0.string(screen) } }
      $0.member("screenVisits", screenVisits)
      if let launchTime {
        $0.member("launchMs", number: Double(launchTime) / 1000)
        $0.member("launchKind", launchKind)
      }
      $0.member("slowFrames", slowFrames)
      $0.member("frozenFrames", frozenFrames)
      $0.object("requests") { Self.write(requests, to: &$0) }
      $0.member("logErrors", errors)
      $0.member("errors", failures)
      $0.member("crashes", crashes)
    }
  }

  private static func write(_ counts: [String: Int64], to json: inout JSONOutput) {
    for (name, count) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) { json.member(name, count) }
  }
}
