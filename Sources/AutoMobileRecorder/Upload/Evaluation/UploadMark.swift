import AutoMobileSupport

/// A stretch of a launch that is to be sent, and whose word that is.
struct UploadMark: Sendable, Equatable {
  /// `rule:` and a rule's name, ``everyones``, or `ask:` and an ask's id.
  var name: String
  /// The first position.
  var from: UInt64
  /// The position after the last; nil as long as it goes on.
  var to: UInt64?
  /// When it ends, by the events' times, in milliseconds since 1970; nil: with its session.
  var until: Int64?
  /// What has the higher one goes first.
  var priority: Int
  /// Bodies of requests go, too.
  var bodies = true

  /// What goes at once whatever the rules say: what makes issues (crashes, handled failures, hangs), and summaries of sessions.
  static let everyones = "always"
  /// Higher than any rule's.
  static let highestPriority = 10

  static func name(of ask: UploadAsk) -> String { "ask:" + ask.id }
  static func name(of rule: UploadRule) -> String { "rule:" + rule.name }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension UploadMark: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    name = members.value("name")
    from = members.value("from")
    to = members.value("to")
    until = members.value("until")
    priority = members.value("priority")
    bodies = members.value("bodies") ?? true
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("from", from)
    members.add("to", to)
    members.add("until", until)
    members.add("priority", priority)
    members.add("bodies", bodies ? nil : false)
    try members.end()
  }
}

/// What is written down of a launch in one step: how far it has been looked at, what of it is to be sent, and what its sessions were
/// like. A process that is killed looks again at what came after, and finds the same.
struct LaunchNote: Sendable, Equatable {
  /// The version of this format.
  static let format = 1

  /// Everything before this position has been looked at.
  var evaluated: UInt64 = 0
  /// Where that had to wait: everything before this position has been counted in its sessions, and what goes whatever the rules say is
  /// marked. Else it is no further.
  var countedAhead: UInt64 = 0
  /// The sessions that rules had come to when that began, and have come to since.
  var met: [String] = []
  /// The time of the last event that was counted, in milliseconds since 1970; 0: there was none.
  var countedAt: Int64 = 0
  /// Those of which something may have to be sent, in no order.
  var marks: [UploadMark] = []
  /// The sessions, oldest first.
  var sessions: [SessionTally] = []
  /// The asks that have been answered up to ``evaluated``, by their keys.
  var asked: [String] = []
  /// Those that are being answered, and up to where they have been.
  var asking: [String] = []
  var askedTo: UInt64 = 0
  /// What has gone out without bodies, or was about to: so it goes without them each time, whoever wants them meanwhile.
  var bare: [Range<UInt64>] = []
  /// The time of the last event, in milliseconds since 1970; 0: there was none.
  var lastAt: Int64 = 0
  /// What was last known of it.
  var memory = SessionMemory()
  /// When the last session began, by its first event; in milliseconds since 1970.
  var sessionSince: Int64 = 0
  /// Where the last event ended that is of a session.
  var lastOfSession: UInt64 = 0
  /// What of replays asks go on with.
  var runs: [ReplayRun] = []
  /// By which clock the last event's time was; and that of the last one of those that are looked at once more, up to ``askedTo``.
  var clock = ClockTurns()
  var askClock = ClockTurns()

  /// Sessions have been counted up to here.
  var counted: UInt64 { max(evaluated, countedAhead) }
}

extension LaunchNote: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    let format: Int = members.value("format")
    guard format == Self.format else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "format \(format) is not known"))
    }
    evaluated = members.value("evaluated")
    marks = members.value("marks", or: [])
    sessions = members.value("sessions", or: [])
    asked = members.value("asked", or: [])
    asking = members.value("asking", or: [])
    askedTo = members.value("askedTo")
    bare = members.value("bare") ?? []
    lastAt = members.value("lastAt")
    memory = members.value("memory") ?? SessionMemory()
    sessionSince = members.value("sessionSince") ?? 0
    let lastOfSession: UInt64? = members.value("lastOfSession")
    self.lastOfSession = lastOfSession ?? 0
    let runs: [ReplayRun]? = members.value("runs")
    self.runs = runs ?? []
    clock = members.value("clock") ?? ClockTurns()
    askClock = members.value("askClock") ?? ClockTurns()
    countedAhead = members.value("countedAhead") ?? 0
    met = members.value("met") ?? []
    countedAt = members.value("countedAt") ?? lastAt
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("format", Self.format)
    members.add("evaluated", evaluated)
    members.add("marks", marks)
    members.add("sessions", sessions)
    members.add("asked", asked)
    members.add("asking", asking)
    members.add("askedTo", askedTo)
    members.add("bare", bare.isEmpty ? nil : bare)
    members.add("lastAt", lastAt)
    members.add("memory", memory)
    members.add("sessionSince", sessionSince)
    members.add("lastOfSession", lastOfSession)
    members.add("runs", runs)
    members.add("clock", clock == ClockTurns() ? nil : clock)
    members.add("askClock", askClock == ClockTurns() ? nil : askClock)
    let isAhead = countedAhead > evaluated
    members.add("countedAhead", isAhead ? countedAhead : nil)
    members.add("met", isAhead ? met : nil)
    members.add("countedAt", isAhead ? countedAt : nil)
    try members.end()
  }
}

/// Ranges that may overlap, made disjoint and sorted.
enum JoinedRanges {
  static func joined(_ ranges: [Range<UInt64>]) -> [Range<UInt64>] {
    var joined: [Range<UInt64>] = []
    for range in ranges.filter({ !$0.isEmpty }).ordered(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        // bounded: both begin at the lower bound of the last or later.
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// What of some ranges is in none of others; both disjoint and sorted, and so is the result.
  static func difference(_ ranges: [Range<UInt64>], _ others: [Range<UInt64>]) -> [Range<UInt64>] {
    ranges.flatMap { range in
      var rest: [Range<UInt64>] = []
      var start = range.lowerBound
      for other in others where other.upperBound > start && other.lowerBound < range.upperBound {
        // bounded: compared just before.
        if other.lowerBound > start { rest.append(start..<other.lowerBound) }
        start = other.upperBound
        guard start < range.upperBound else { return rest }
      }
      // bounded: compared just before.
      if start < range.upperBound { rest.append(start..<range.upperBound) }
      return rest
    }
  }
}
