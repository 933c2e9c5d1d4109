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

  var place = Place.here
  /// Of these, not here.
  var missing: Int64 = 0
  /// When they go, in milliseconds since 1970; the last of them, and by the device's last word.
  var until: Int64?
  /// Everything that was recorded, by the device's last word.
  var events: Int64 = 0
  var revision: Int64 = 0
  var startedAt: Int64
  var endedAt: Int64
  /// Nothing of it follows.
  var isFinal = false
  var end: String?
  var counts: [String: Int64] = [:]
  var screens: [String] = []
  var screenVisits: Int64 = 0
  var launchTime: Int64?
  var launchKind = ""
  var slowFrames: Int64 = 0
  var frozenFrames: Int64 = 0
  var requests: [String: Int64] = [:]
  var errors: Int64 = 0
  var failures: Int64 = 0
  var crashes: Int64 = 0
  var memoryPeak: Int64?
  var memoryLeft: Int64?
  var memoryWarnings: Int64 = 0

  /// Of a session that goes on in another launch, all of them together.
  static let mostLaunches = 20

  /// Finds out where the events are that are not here. What a launch keeps now may be of later sessions: of one that was over when
  /// nothing was kept, or whose time is over, nothing is there.
  ///
  /// - Parameters:
  ///   - here: events of it that are.
  ///   - isOver: nothing of the launch follows.
  ///   - kept: by the launch's last word; nil: it has never said.
  ///   - left: of what its last ledger says that it keeps, what has not come since; nil: it has never said.
  ///   - then: when this was told.
  mutating func settle(
    here: Int64, isOver: Bool, kept: (events: Int64?, until: Int64?), left: Int64?,
    then: (events: Int64, until: Int64?), now: Int64
  ) {
    missing = max(0, events - here)
    if hasCountedLess(than: here) {
      // Nothing has come to a session that is over, so it was no more than its launch kept then.
      missing = min(left ?? 0, then.events)
      events = here + missing
    }
    guard missing > 0 else { return }
    let until = [kept.until, then.until].compactMap(\.self).min()
    let isThere = !isOver && kept.events ?? 0 > 0 && until ?? .max > now && !(isFinal && then.events == 0)
    place = isThere ? .device : .gone
    self.until = until
  }

  /// More is here than its device counted: the launch had sent everything before it kept anything, and what was sent had been removed
  /// when the device began to count. Of what it keeps, that count says nothing.
  func hasCountedLess(than here: Int64) -> Bool { isFinal && events < here }

  /// The same session in an earlier launch.
  mutating func add(_ other: ToldSession) {
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
    memoryPeak = [memoryPeak, other.memoryPeak].compactMap(\.self).max()
    memoryLeft = [memoryLeft, other.memoryLeft].compactMap(\.self).min()
    memoryWarnings += other.memoryWarnings
  }

  static func counts(_ json: String) -> [String: Int64] { tree(json)?.members.compactMapValues(\.integer) ?? [:] }

  static func tree(_ json: String) -> JSONTree? {
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
      if let memoryPeak { $0.member("memoryPeak", memoryPeak) }
      if let memoryLeft { $0.member("memoryLeft", memoryLeft) }
      $0.member("memoryWarnings", memoryWarnings)
    }
  }

  private static func write(_ counts: [String: Int64], to json: inout JSONOutput) {
    for (name, count) in counts.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) { json.member(name, count) }
  }
}
