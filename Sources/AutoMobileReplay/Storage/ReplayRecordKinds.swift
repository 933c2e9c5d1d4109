import AutoMobileJournal
import AutoMobileSupport

/// The kinds of the records in a session's journal. It is one of its own: these never meet those of events.
extension RecordKind {
  /// What the session is, as the JSON of ``SessionRecord``: repeated in every segment.
  static let replaySession = RecordKind(rawValue: 1)
  /// A frame that is a file now, as the JSON of ``FrameEntry``.
  static let replayFrame = RecordKind(rawValue: 2)
  /// A line of the hierarchy, after its time.
  static let replayHierarchy = RecordKind(rawValue: 3)
  /// A line of the timeline, after its time.
  static let replayEvent = RecordKind(rawValue: 4)
  /// How far the session has come, as the JSON of ``Checkpoint``.
  static let replayCheckpoint = RecordKind(rawValue: 5)
  /// How it ended, as the JSON of ``ReplayEnding``. Written before anybody is told.
  static let replayEnding = RecordKind(rawValue: 6)
}

/// What is known about a session from its beginning on. No credential is among it: recovery asks for one itself.
struct SessionRecord: Codable, Sendable, Equatable {
  var id: String
  /// In milliseconds since 1970.
  var startedAt: Int64
  var isTelemetryOnly: Bool
  /// The launch of the SDK that recorded it; nil: a version that did not tell, or no SDK.
  var launch: String?
  /// What has been done to the wall clock since; nil: nothing.
  var offsets: [ClockOffset]?
  /// How often the wall clock had been set back in the launch when it began, and the latest time that it had shown before; nil: never,
  /// as far as anybody knows.
  var clock: Int?
  var clockEnd: Int64?
}

/// A frame's entry in the index.
struct FrameEntry: Codable, Sendable, Equatable {
  /// The file's name.
  var name: String
  var bytes: Int
}

/// How far a session has come: what is left of it when the process is killed.
struct Checkpoint: Codable, Sendable, Equatable {
  /// In milliseconds since 1970, as all times here, by the session's own clock.
  var at: Int64
  var lastForegroundAt: Int64?
  var lastBackgroundAt: Int64?
  var totalBackgroundMs: Int64
  /// The sessions of telemetry that the replay went through.
  var telemetrySessionIds: [String]
  var framesRecorded: Int
  var framesDropped: Int
  /// Of these, by why; nil: written by a version that did not tell.
  var framesLost: [String: Int]?

  /// How often one is written in the foreground, in milliseconds: an end that nobody saw is known as exactly as this.
  static let intervalMs: Int64 = 5000
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SessionRecord {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    id = members.value("id")
    startedAt = members.value("startedAt")
    isTelemetryOnly = members.value("isTelemetryOnly")
    launch = members.value("launch")
    offsets = members.value("offsets")
    clock = members.value("clock")
    clockEnd = members.value("clockEnd")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("id", id)
    members.add("startedAt", startedAt)
    members.add("isTelemetryOnly", isTelemetryOnly)
    members.add("launch", launch)
    members.add("offsets", offsets)
    members.add("clock", clock)
    members.add("clockEnd", clockEnd)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ClockOffset: Codable {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    since = members.value("since")
    milliseconds = members.value("ms")
    clock = members.value("clock")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("since", since)
    members.add("ms", milliseconds)
    members.add("clock", clock)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension FrameEntry {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    name = members.value("name")
    bytes = members.value("bytes")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("name", name)
    members.add("bytes", bytes)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension Checkpoint {
  init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    at = members.value("at")
    lastForegroundAt = members.value("lastForegroundAt")
    lastBackgroundAt = members.value("lastBackgroundAt")
    totalBackgroundMs = members.value("totalBackgroundMs")
    telemetrySessionIds = members.value("telemetrySessionIds", or: [])
    framesRecorded = members.value("framesRecorded")
    framesDropped = members.value("framesDropped")
    framesLost = members.value("framesLost")
    try members.end()
  }

  func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("at", at)
    members.add("lastForegroundAt", lastForegroundAt)
    members.add("lastBackgroundAt", lastBackgroundAt)
    members.add("totalBackgroundMs", totalBackgroundMs)
    members.add("telemetrySessionIds", telemetrySessionIds)
    members.add("framesRecorded", framesRecorded)
    members.add("framesDropped", framesDropped)
    members.add("framesLost", framesLost)
    try members.end()
  }
}
