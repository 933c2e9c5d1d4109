import AutoMobileSupport

/// What a session was like, counted as its events are looked at.
struct SessionTally: Sendable, Equatable {
  /// Sessions of a launch that are remembered; the oldest go first, and have long been told.
  static let mostSessions = 16
  /// The screens that are named.
  static let mostScreens = 12

  /// How it ended, as far as that is known.
  enum End: String, Sendable {
    /// Another one began, or its launch ended as it should.
    case ended
    case crash
    /// Its process is gone, and nothing says why.
    case unknown
    case hangKill = "hang_kill"
    case outOfMemory = "out_of_memory"
    case userKill = "user_kill"

    var isFault: Bool { [.crash, .hangKill, .outOfMemory].contains(self) }

    init(_ verdict: PreviousLaunchEnd.Verdict) {
      switch verdict {
      case .crash: self = .crash
      case .hangKill: self = .hangKill
      case .outOfMemory: self = .outOfMemory
      case .userKill: self = .userKill
      case .cleanExit, .updated, .rebooted, .debugger: self = .ended
      case .unknown: self = .unknown
      }
    }
  }

  var session: String
  /// The number of its last context.
  var contextId: UInt64?
  /// In milliseconds since 1970.
  var startedAt: Int64
  var lastAt: Int64
  /// Events by the number of their type.
  var counts = [Int](repeating: 0, count: EventTypeNumber.count)
  /// The first screens, each once, and how often any was shown.
  var screens: [String] = []
  var screenVisits = 0
  var launchMs: Int64?
  var launchKind: String?
  var slowFrames = 0
  var frozenFrames = 0
  /// By the first digit of their status; at 0, those without an answer.
  var requests = [Int](repeating: 0, count: 10)
  /// Log entries that are errors, or worse.
  var errors = 0
  var crashes = 0
  var memory = SessionMemory()
  /// How often the system said that memory was short.
  var memoryWarnings = 0
  var end: End?
  /// Nothing of it follows.
  var hasEnded = false
  /// How often it has been told.
  var revision = 0
  /// What it was when it was told last, as a number of events; and whether its end has been told.
  var toldEvents = 0
  var isOver = false
  /// Where the summary stands in its launch's journal that says all this but how the session ended; nil: there is none, or it does not
  /// say all any more.
  var toldAt: UInt64?
  /// A receiver has taken that summary: it may also have refused it, or it had to make room.
  var isTaken = false
  /// The receiver that there was when that was told. Another one does not know what this one has got.
  var toldTo: String?
  /// Its memory as that summary has it.
  var toldMemory = SessionMemory()

  /// - Parameter memory: what was last known of it when the session began.
  init(session: String, contextId: UInt64?, at: Int64, memory: SessionMemory = SessionMemory()) {
    self.memory = memory
    self.session = session
    self.contextId = contextId
    startedAt = at
    lastAt = at
  }

  var events: Int { counts.reduce(0, &+) }

  private static let destination = Array("destination".utf8)
  private static let name = Array("name".utf8)
  private static let statusCode = Array("statusCode".utf8)
  private static let level = Array("level".utf8)
  private static let launch = Array(RecordedName.launch.utf8)
  private static let frames = Array(RecordedName.frames.utf8)
  private static let scope = Array("properties.scope".utf8)
  private static let screen = Array("screen".utf8)
  private static let summary = EventTypeNumber.of(.sessionSummary)
  private static let crash = EventTypeNumber.of(.crash)
  private static let navigation = EventTypeNumber.of(.navigation)
  private static let request = EventTypeNumber.of(.networkRequest)
  private static let log = EventTypeNumber.of(.log)
  private static let custom = EventTypeNumber.of(.custom)
  private static let broadcast = EventTypeNumber.of(.broadcast)
  private static let lifecycle = EventTypeNumber.of(.lifecycle)
  private static let action = Array("action".utf8)
  private static let state = Array("state".utf8)
  private static let memoryWarning = Array("UIApplicationDidReceiveMemoryWarningNotification".utf8)
  private static let memoryState = Array("memory_warning".utf8)
  private static let longestScreen = 40

  /// Counts an event. Of most types only the head is looked at.
  mutating func add(_ event: EventBytes, _ head: EventHead) {
    guard head.type != Self.summary else { return }
    counts[head.type] &+= 1
    if let timestamp = head.timestamp {
      startedAt = min(startedAt, timestamp)
      lastAt = max(lastAt, head.endedAt ?? timestamp)
    }
    switch head.type {
    case Self.crash: crashes &+= 1
    case Self.navigation:
      screenVisits &+= 1
      guard screens.count < Self.mostScreens, let place = event.member(Self.destination),
        let name = event.withText(place, { String(decoding: $0, as: UTF8.self) })
      else { return }
      let short = name.utf8.count <= Self.longestScreen ? name : String(name.prefix(Self.longestScreen / 4))
      if !screens.contains(short) { screens.append(short) }
    case Self.request:
      let status = event.member(Self.statusCode).flatMap(event.integer) ?? 0
      requests[(100...999).contains(status) ? Int(clamping: status / 100) : 0] &+= 1
    case Self.log: if let level = event.member(Self.level).flatMap(event.integer), level >= 4 { errors &+= 1 }
    case Self.custom: addCustom(event)
    case Self.broadcast: if event.isText(event.member(Self.action), Self.memoryWarning) { memoryWarnings &+= 1 }
    case Self.lifecycle: if event.isText(event.member(Self.state), Self.memoryState) { memoryWarnings &+= 1 }
    default: break
    }
  }

  private mutating func addCustom(_ event: EventBytes) {
    guard let place = event.member(Self.name) else { return }
    func number(_ name: StaticString) -> Int64? {
      event.value(at: name.withUTF8Buffer { Array($0) }).flatMap(event.integer)
    }
    if event.isText(place, Self.launch) {
      launchMs = number("properties.totalMs") ?? launchMs
      launchKind =
        event.value(at: Array("properties.kind".utf8))
        .flatMap { event.withText($0) { String(decoding: $0.prefix(20), as: UTF8.self) } } ?? launchKind
    } else if event.isText(place, Self.frames), event.isText(event.value(at: Self.scope), Self.screen) {
      slowFrames = slowFrames.addingReportingOverflow(Int(clamping: number("properties.slow") ?? 0)).partialValue
      frozenFrames = frozenFrames.addingReportingOverflow(Int(clamping: number("properties.frozen") ?? 0)).partialValue
    }
  }
}

extension SessionTally: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    session = members.value("session")
    contextId = members.value("contextId")
    startedAt = members.value("startedAt")
    lastAt = members.value("lastAt")
    counts = members.value("counts", or: [])
    screens = members.value("screens", or: [])
    screenVisits = members.value("screenVisits")
    launchMs = members.value("launchMs")
    launchKind = members.value("launchKind")
    slowFrames = members.value("slowFrames")
    frozenFrames = members.value("frozenFrames")
    requests = members.value("requests", or: [])
    errors = members.value("errors")
    crashes = members.value("crashes")
    memory = members.value("memory") ?? SessionMemory()
    memoryWarnings = members.value("memoryWarnings") ?? 0
    end = (members.value("end") as String?).flatMap(End.init(rawValue:))
    hasEnded = members.value("hasEnded")
    revision = members.value("revision")
    toldEvents = members.value("toldEvents")
    isOver = members.value("isOver")
    toldAt = members.value("toldAt")
    isTaken = members.value("isTaken") ?? false
    toldTo = members.value("toldTo")
    toldMemory = members.value("toldMemory") ?? SessionMemory()
    try members.end()
    // Of a version with other types: what cannot be told apart is left out.
    if counts.count != EventTypeNumber.count { counts = [Int](repeating: 0, count: EventTypeNumber.count) }
    if requests.count != 10 { requests = [Int](repeating: 0, count: 10) }
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("session", session)
    members.add("contextId", contextId)
    members.add("startedAt", startedAt)
    members.add("lastAt", lastAt)
    members.add("counts", counts)
    members.add("screens", screens)
    members.add("screenVisits", screenVisits)
    members.add("launchMs", launchMs)
    members.add("launchKind", launchKind)
    members.add("slowFrames", slowFrames)
    members.add("frozenFrames", frozenFrames)
    members.add("requests", requests)
    members.add("errors", errors)
    members.add("crashes", crashes)
    members.add("memory", memory)
    members.add("memoryWarnings", memoryWarnings)
    members.add("end", end?.rawValue)
    members.add("hasEnded", hasEnded)
    members.add("revision", revision)
    members.add("toldEvents", toldEvents)
    members.add("isOver", isOver)
    members.add("toldAt", toldAt)
    members.add("isTaken", isTaken ? true : nil)
    members.add("toldTo", toldTo)
    members.add("toldMemory", toldMemory)
    try members.end()
  }
}

extension SessionTally {
  /// The session as an event, with what its launch keeps.
  ///
  /// - Parameter sameAs: the revision that the receiver has, and that says everything else.
  func summary(now: Int64, kept: KeptOfLaunch?, sameAs: Int? = nil) -> SdkSessionSummaryEvent {
    var byType: [String: Int] = [:]
    for (index, type) in SdkEventType.allCases.enumerated() where counts[index] > 0 {
      byType[type.rawValue] = counts[index]
    }
    if counts[EventTypeNumber.other] > 0 { byType["other"] = counts[EventTypeNumber.other] }
    var statuses: [String: Int] = [:]
    for (digit, count) in requests.enumerated() where count > 0 { statuses[digit == 0 ? "none" : "\(digit)xx"] = count }
    return SdkSessionSummaryEvent(
      timestamp: now, session: session, revision: revision, sameAs: sameAs, startedAt: startedAt, endedAt: lastAt,
      isFinal: hasEnded, end: hasEnded ? (end ?? .ended).rawValue : nil, events: byType, screens: screens,
      screenVisits: screenVisits,
      launchMs: launchMs, launchKind: launchKind, slowFrames: slowFrames, frozenFrames: frozenFrames,
      requests: statuses, errors: errors, crashes: crashes, memoryPeak: memory.peak, memoryLeft: memory.left,
      memoryWarnings: memoryWarnings, keptEvents: kept?.events, keptBytes: kept?.bytes, keptDays: kept?.days)
  }
}

/// What a session's launch keeps on the device.
struct KeptOfLaunch: Equatable {
  var events: Int
  /// In bytes.
  var bytes: Int
  /// From now on.
  var days: Int
}
