import AutoMobileSupport

/// What a session was like, in at most ``maximumSize`` bytes: sent always, where events stay on the device.
///
/// Cumulative: of several about one session, the one with the highest ``revision`` counts.
public struct SdkSessionSummaryEvent: SdkEvent {
  /// Of its JSON, without the context that is added, in bytes.
  public static let maximumSize = 1024

  public let eventType: SdkEventType
  /// When it was made, in milliseconds since 1970.
  public let timestamp: Int64
  /// The session's id.
  public let session: String
  /// Counted up with each summary of the session, from 1 on.
  public let revision: Int
  /// The times of its first and its last event, in milliseconds since 1970.
  public let startedAt: Int64
  public let endedAt: Int64
  /// Nothing of the session follows.
  public let isFinal: Bool
  /// How it ended: `ended`, `crash`, `hang_kill`, `out_of_memory`, `user_kill`, `unknown`. Nil while it goes on.
  public let end: String?
  /// How many events, by type.
  public let events: [String: Int]
  /// The first screens, each once; fewer when there is no room for them.
  public let screens: [String]
  /// How often a screen was shown.
  public let screenVisits: Int
  /// How long the launch took until its first frame, in milliseconds, and what kind of launch it was.
  public let launchMs: Int64?
  public let launchKind: String?
  public let slowFrames: Int
  public let frozenFrames: Int
  /// How many requests: `2xx`, `4xx` and so on; `none` are those without an answer.
  public let requests: [String: Int]
  /// How many log entries were errors.
  public let errors: Int
  public let crashes: Int
  /// What the session's launch keeps on the device: how many events, how much room in bytes, and until when, in milliseconds since
  /// 1970, unless the room is needed before.
  public let keptEvents: Int?
  public let keptBytes: Int?
  public let keptUntil: Int64?

  init(
    timestamp: Int64, session: String, revision: Int, startedAt: Int64, endedAt: Int64, isFinal: Bool, end: String?,
    events: [String: Int], screens: [String], screenVisits: Int, launchMs: Int64?, launchKind: String?,
    slowFrames: Int, frozenFrames: Int, requests: [String: Int], errors: Int, crashes: Int, keptEvents: Int?,
    keptBytes: Int?, keptUntil: Int64?
  ) {
    eventType = .sessionSummary
    self.timestamp = timestamp
    self.session = session
    self.revision = revision
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.isFinal = isFinal
    self.end = end
    self.events = events
    self.screens = screens
    self.screenVisits = screenVisits
    self.launchMs = launchMs
    self.launchKind = launchKind
    self.slowFrames = slowFrames
    self.frozenFrames = frozenFrames
    self.requests = requests
    self.errors = errors
    self.crashes = crashes
    self.keptEvents = keptEvents
    self.keptBytes = keptBytes
    self.keptUntil = keptUntil
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("session", session)
    json.member("revision", revision)
    json.member("startedAt", startedAt)
    json.member("endedAt", endedAt)
    json.member("isFinal", isFinal)
    json.member("end", end)
    json.member("events", events.mapValues { MetadataValue.int(Int64($0)) })
    json.member("screens", screens)
    json.member("screenVisits", screenVisits)
    json.member("launchMs", launchMs)
    json.member("launchKind", launchKind)
    json.member("slowFrames", slowFrames)
    json.member("frozenFrames", frozenFrames)
    json.member("requests", requests.mapValues { MetadataValue.int(Int64($0)) })
    json.member("errors", errors)
    json.member("crashes", crashes)
    json.member("keptEvents", keptEvents)
    json.member("keptBytes", keptBytes)
    json.member("keptUntil", keptUntil)
  }

  /// The same with as many of its screens as fit.
  var fitted: SdkSessionSummaryEvent {
    var fitted = self
    while fitted.size ?? .max > Self.maximumSize, !fitted.screens.isEmpty {
      fitted = fitted.with(screens: Array(fitted.screens.dropLast()))
    }
    return fitted
  }

  var size: Int? { try? withEncodedEvent(self, contextId: nil) { $0.count } }

  private func with(screens: [String]) -> SdkSessionSummaryEvent {
    SdkSessionSummaryEvent(
      timestamp: timestamp, session: session, revision: revision, startedAt: startedAt, endedAt: endedAt,
      isFinal: isFinal, end: end, events: events, screens: screens, screenVisits: screenVisits, launchMs: launchMs,
      launchKind: launchKind, slowFrames: slowFrames, frozenFrames: frozenFrames, requests: requests, errors: errors,
      crashes: crashes, keptEvents: keptEvents, keptBytes: keptBytes, keptUntil: keptUntil)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkSessionSummaryEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    session = members.value("session")
    revision = members.value("revision")
    startedAt = members.value("startedAt")
    endedAt = members.value("endedAt")
    isFinal = members.value("isFinal")
    end = members.value("end")
    events = members.value("events", or: [:])
    screens = members.value("screens", or: [])
    screenVisits = members.value("screenVisits")
    launchMs = members.value("launchMs")
    launchKind = members.value("launchKind")
    slowFrames = members.value("slowFrames")
    frozenFrames = members.value("frozenFrames")
    requests = members.value("requests", or: [:])
    errors = members.value("errors")
    crashes = members.value("crashes")
    keptEvents = members.value("keptEvents")
    keptBytes = members.value("keptBytes")
    keptUntil = members.value("keptUntil")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("session", session)
    members.add("revision", revision)
    members.add("startedAt", startedAt)
    members.add("endedAt", endedAt)
    members.add("isFinal", isFinal)
    members.add("end", end)
    members.add("events", events)
    members.add("screens", screens)
    members.add("screenVisits", screenVisits)
    members.add("launchMs", launchMs)
    members.add("launchKind", launchKind)
    members.add("slowFrames", slowFrames)
    members.add("frozenFrames", frozenFrames)
    members.add("requests", requests)
    members.add("errors", errors)
    members.add("crashes", crashes)
    members.add("keptEvents", keptEvents)
    members.add("keptBytes", keptBytes)
    members.add("keptUntil", keptUntil)
    try members.end()
  }
}
