import AutoMobileJournal

/// Goes through the events of one device, launch by launch, and finds what rules would have sent of them.
struct DryRunDevice {
  /// Rules, ready to be held against rows of the index.
  struct Rules {
    let rules: [UploadRule]
    let matchers: [UploadMatcher]
    /// By the index's number of a type: those that concern it.
    let byType: [Int64: [Int]]
    let sessionRules: [(index: Int, fraction: Double)]
    let alwaysSent: Set<Int64>
    let summary: Int64?
    /// Requests, spans and hangs: they are recorded when they are over.
    let lasting: Set<Int64>
    let breadcrumb: Int64?
    /// Requests, when a rule leaves out their bodies.
    var requests: Int64?
  }

  /// A record as the index has it.
  struct Event {
    var session: Int64
    var type: Int64
    var timestamp: Int64
    /// Of what lasts.
    var duration: Int64 = 0
    var bytes: Int64
    /// Of types that a rule concerns, of requests that it has without bodies, and of what may tell of another launch.
    var payload: UnsafeRawBufferPointer?
  }

  private struct Launch {
    var id: LaunchID
    var stretches: LaunchStretches
  }

  private let rules: Rules
  /// Whose events come now.
  private var current: Launch?
  /// Those that are over, of which the next ones may tell.
  private var held: [Launch] = []
  /// So many events at most stay at hand for that.
  private static let mostHeld = 400_000
  private static let mostHeldLaunches = 8
  /// By rule and day: how often it has applied.
  private var applied: [[Int64: Int]]
  private var firedSessions: [Set<Int64>]
  private var sentSessions: Set<Int64> = []
  private var seen: Set<Int64> = []
  private var seenMore: Set<Int64> = []
  private var lastSession: Int64?
  private(set) var isFull = false
  private var figures: DryRunFigures

  init(_ rules: Rules) {
    self.rules = rules
    applied = Array(repeating: [:], count: rules.rules.count)
    firedSessions = Array(repeating: [], count: rules.rules.count)
    figures = DryRunFigures(rules: rules.rules.count)
  }

  // MARK: Launches

  mutating func begin(_ launch: LaunchID) {
    endLaunch()
    figures.launches += 1
    current = Launch(id: launch, stretches: LaunchStretches(rules.rules))
  }

  private mutating func endLaunch() {
    guard var over = current else { return }
    current = nil
    over.stretches.end()
    held.append(over)
    var events = held.reduce(0) { $0 + $1.stretches.count }
    while held.count > Self.mostHeldLaunches || held.count > 1 && events > Self.mostHeld {
      let oldest = held.removeFirst().stretches
      events -= oldest.count
      count(oldest)
    }
  }

  /// The launch that was over last.
  var over: LaunchStretches? { held.last?.stretches }

  private mutating func count(_ launch: LaunchStretches) {
    for rule in rules.rules.indices { figures.rules[rule].sent += launch.sent(by: rule) }
    figures.total += launch.sent
    figures.always += launch.alwaysSent
    figures.everything += launch.everything
    sentSessions.formUnion(launch.sessions(in: launch.allStretches))
    if launch.isFull { isFull = true }
  }

  /// Adds what has been found; nothing comes after this.
  mutating func finish(into sum: inout DryRunFigures) {
    endLaunch()
    held.forEach { count($0.stretches) }
    guard figures.launches > 0 else { return }
    for rule in rules.rules.indices {
      sum.rules[rule].matched += figures.rules[rule].matched
      sum.rules[rule].fired += figures.rules[rule].fired
      sum.rules[rule].limited += figures.rules[rule].limited
      sum.rules[rule].sent += figures.rules[rule].sent
      sum.rules[rule].sessions += Int64(firedSessions[rule].count)
      sum.rules[rule].devices += figures.rules[rule].fired > 0 ? 1 : 0
    }
    sum.total += figures.total
    sum.always += figures.always
    sum.everything += figures.everything
    sum.launches += figures.launches
    sum.devices += 1
    sum.sessions += Int64(seen.count)
    sum.sentSessions += Int64(sentSessions.count)
    sum.summaries += Int64(seen.count - seenMore.count)
  }

  // MARK: Events

  var eventsOfLaunch: Int { current?.stretches.count ?? 0 }

  /// The next event of the launch.
  ///
  /// - Parameter name: by which the app knows a session.
  mutating func look(at event: Event, name: (_ session: Int64) throws -> String) rethrows {
    let isEvent = event.type != rules.breadcrumb
    let end = endedAt(event)
    let members = event.payload.map(RecordedMembers.init)
    let bodies = event.type == rules.requests ? members?.bodyBytes ?? 0 : 0
    let index = current?.stretches.add(
      end, bytes: event.bytes, bodies: Int64(bodies), session: event.session, isEvent: isEvent)
    guard let index else { return }
    if event.session != lastSession { seen.insert(event.session) }
    if isEvent, event.type != rules.summary, event.session != lastSession { seenMore.insert(event.session) }
    lastSession = event.type == rules.summary || !isEvent ? nil : event.session
    guard isEvent else { return }
    if rules.alwaysSent.contains(event.type) { current?.stretches.isAlwaysSent(index) }
    if event.type == rules.summary {
      // What is told of sessions is in none of them, and no rule applies to it.
      if members?.value("contextId") != nil { current?.stretches.isOwn(index, isTold: true) }
      return
    }
    if let members, let other = otherLaunch(members) { return tell(of: other, event, members) }
    current?.stretches.isOwn(index, isTold: false)
    if !rules.sessionRules.isEmpty, current?.stretches.meet(event.session, at: index) == true {
      try begin(session: event, at: index, name)
    }
    guard let members, let concerned = rules.byType[event.type] else { return }
    for rule in concerned where rules.matchers[rule].matches(members) { apply(rule, event, at: index, members) }
  }

  /// No event that begins longer before is taken at its word: a day.
  private static let longest: Int64 = 86_400_000

  private func endedAt(_ event: Event) -> Int64 {
    guard rules.lasting.contains(event.type), event.duration > 0 else { return event.timestamp }
    return event.timestamp.addingReportingOverflow(min(event.duration, Self.longest)).partialValue
  }

  /// An event with its context in full may be about another launch.
  private func otherLaunch(_ event: RecordedMembers) -> LaunchID? {
    guard event.value("contextId") == nil, let text = event.text(event.value("ofLaunch")),
      let named = LaunchID(String(decoding: text, as: UTF8.self)), named != current?.id
    else { return nil }
    return named
  }

  private mutating func begin(
    session event: Event, at index: Int, _ name: (_ session: Int64) throws -> String
  ) rethrows {
    let id = try name(event.session)
    for (rule, fraction) in rules.sessionRules where SessionShare.contains(id, fraction: fraction) {
      figures.rules[rule].matched += 1
      guard allows(rule, event) else { continue }
      current?.stretches.takeSession(rule, at: index)
    }
  }

  private mutating func apply(_ rule: Int, _ event: Event, at index: Int, _ members: RecordedMembers) {
    figures.rules[rule].matched += 1
    if case .unexpectedEnd = rules.rules[rule].when, let ended = EndedLaunch(members), ended.launch != current?.id {
      if allows(rule, event) { mark(rule, in: ended.launch, at: nil) }
      return
    }
    if current?.stretches.prolong(rule, at: index) == true { return }
    if allows(rule, event) { current?.stretches.take(rule, at: index, since: event.timestamp) }
  }

  private mutating func tell(of other: LaunchID, _ event: Event, _ members: RecordedMembers) {
    for rule in rules.byType[event.type] ?? [] where rules.matchers[rule].matches(members) {
      figures.rules[rule].matched += 1
      if allows(rule, event) { mark(rule, in: other, at: event.timestamp) }
    }
  }

  private mutating func mark(_ rule: Int, in launch: LaunchID, at time: Int64?) {
    guard let index = held.lastIndex(where: { $0.id == launch }) else { return }
    held[index].stretches.takeEnd(rule, at: time)
  }

  /// Whether a rule may apply once more on this device in the event's day; counts it when it does.
  private mutating func allows(_ rule: Int, _ event: Event) -> Bool {
    if let most = rules.rules[rule].send.perDay {
      let day = event.timestamp / 86_400_000
      guard applied[rule][day, default: 0] < most else {
        figures.rules[rule].limited += 1
        return false
      }
      applied[rule][day, default: 0] += 1
    }
    figures.rules[rule].fired += 1
    firedSessions[rule].insert(event.session)
    return true
  }
}
