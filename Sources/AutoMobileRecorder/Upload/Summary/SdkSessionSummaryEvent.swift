import AutoMobileSupport

/// What a session was like, in at most ``maximumSize`` bytes: sent always, where events stay on the device.
///
/// Cumulative: of several about one session, the one with the highest ``revision`` counts. One that adds to what the receiver has only how
/// the session ended, and what is kept, says that in its JSON and nothing else: ``sameAs``.
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
  /// The revision with which this one shares everything but ``isFinal``, ``end`` and what is kept, and which the receiver has. Nil: it
  /// says everything itself. Of one that is read and names another, everything else is 0, or empty.
  public let sameAs: Int?
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
  /// The most memory that the process was seen to use, and the least that was seen to be left before the system would have ended it, in
  /// bytes. Nil: nobody looked, as where crash reporting is left out, or the system has no limit.
  public let memoryPeak: Int64?
  public let memoryLeft: Int64?
  /// How often the system said that memory was short, as far as that was recorded.
  public let memoryWarnings: Int
  /// What the session's launch keeps on the device: how many events, how much room in bytes, and for how many days from ``timestamp``
  /// on, unless the room is needed before.
  public let keptEvents: Int?
  public let keptBytes: Int?
  public let keptDays: Int?

  init(
    timestamp: Int64, session: String, revision: Int, sameAs: Int?, startedAt: Int64, endedAt: Int64, isFinal: Bool,
    end: String?, events: [String: Int], screens: [String], screenVisits: Int, launchMs: Int64?, launchKind: String?,
    slowFrames: Int, frozenFrames: Int, requests: [String: Int], errors: Int, crashes: Int, memoryPeak: Int64?,
    memoryLeft: Int64?, memoryWarnings: Int, keptEvents: Int?, keptBytes: Int?, keptDays: Int?
  ) {
    eventType = .sessionSummary
    self.timestamp = timestamp
    self.session = session
    self.revision = revision
    self.sameAs = sameAs
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
    self.memoryPeak = memoryPeak
    self.memoryLeft = memoryLeft
    self.memoryWarnings = memoryWarnings
    self.keptEvents = keptEvents
    self.keptBytes = keptBytes
    self.keptDays = keptDays
  }

  /// Until when something is kept on the device, in milliseconds since 1970.
  public var keptUntil: Int64? {
    keptDays.map { timestamp.addingReportingOverflow(Int64(clamping: $0) &* 86_400_000).partialValue }
  }

  /// Counts of nothing are left out: most sessions have several.
  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("session", session)
    json.member("revision", revision)
    json.member("sameAs", sameAs)
    if sameAs == nil { encodeCounts(into: &json) }
    json.member("isFinal", isFinal ? true : nil)
    json.member("end", end)
    json.member("keptEvents", keptEvents)
    json.member("keptBytes", keptBytes)
    json.member("keptDays", keptDays)
  }

  private func encodeCounts(into json: inout EventJSONWriter) {
    json.member("startedAt", startedAt)
    json.member("endedAt", endedAt)
    json.member("events", ordered: events)
    json.member("screens", screens)
    json.member("screenVisits", some(screenVisits))
    json.member("launchMs", launchMs)
    json.member("launchKind", launchKind)
    json.member("slowFrames", some(slowFrames))
    json.member("frozenFrames", some(frozenFrames))
    json.member("requests", ordered: requests)
    json.member("errors", some(errors))
    json.member("crashes", some(crashes))
    json.member("memoryPeak", memoryPeak)
    json.member("memoryLeft", memoryLeft)
    json.member("memoryWarnings", some(memoryWarnings))
  }

  /// The same with as many of its screens as fit; and without memory, where numbers are such that not even that does.
  var fitted: SdkSessionSummaryEvent {
    var fitted = self
    while fitted.size ?? .max > Self.maximumSize, !fitted.screens.isEmpty {
      fitted = fitted.with(screens: Array(fitted.screens.dropLast()))
    }
    return fitted.size ?? .max > Self.maximumSize ? fitted.with(screens: [], hasMemory: false) : fitted
  }

  var size: Int? { try? withEncodedEvent(self, contextId: nil) { $0.count } }

  private func with(screens: [String], hasMemory: Bool = true) -> SdkSessionSummaryEvent {
    SdkSessionSummaryEvent(
      timestamp: timestamp, session: session, revision: revision, sameAs: sameAs, startedAt: startedAt,
      endedAt: endedAt, isFinal: isFinal, end: end, events: events, screens: screens, screenVisits: screenVisits,
      launchMs: launchMs,
      launchKind: launchKind, slowFrames: slowFrames, frozenFrames: frozenFrames, requests: requests, errors: errors,
      crashes: crashes, memoryPeak: hasMemory ? memoryPeak : nil, memoryLeft: hasMemory ? memoryLeft : nil,
      memoryWarnings: hasMemory ? memoryWarnings : 0, keptEvents: keptEvents, keptBytes: keptBytes, keptDays: keptDays
    )
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
    let sameAs: Int? = members.value("sameAs")
    self.sameAs = sameAs
    // What another revision says is not said again.
    startedAt = sameAs == nil ? members.value("startedAt") : 0
    endedAt = sameAs == nil ? members.value("endedAt") : 0
    isFinal = members.value("isFinal") ?? false
    end = members.value("end")
    events = sameAs == nil ? members.value("events", or: [:]) : [:]
    screens = sameAs == nil ? members.value("screens", or: []) : []
    screenVisits = members.value("screenVisits") ?? 0
    launchMs = members.value("launchMs")
    launchKind = members.value("launchKind")
    slowFrames = members.value("slowFrames") ?? 0
    frozenFrames = members.value("frozenFrames") ?? 0
    requests = sameAs == nil ? members.value("requests", or: [:]) : [:]
    errors = members.value("errors") ?? 0
    crashes = members.value("crashes") ?? 0
    memoryPeak = members.value("memoryPeak")
    memoryLeft = members.value("memoryLeft")
    memoryWarnings = members.value("memoryWarnings") ?? 0
    keptEvents = members.value("keptEvents")
    keptBytes = members.value("keptBytes")
    keptDays = members.value("keptDays")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("session", session)
    members.add("revision", revision)
    members.add("sameAs", sameAs)
    if sameAs == nil { addCounts(to: members) }
    members.add("isFinal", isFinal ? true : nil)
    members.add("end", end)
    members.add("keptEvents", keptEvents)
    members.add("keptBytes", keptBytes)
    members.add("keptDays", keptDays)
    try members.end()
  }

  private func addCounts(to members: MemberWriter) {
    members.add("startedAt", startedAt)
    members.add("endedAt", endedAt)
    members.add("events", events)
    members.add("screens", screens)
    members.add("screenVisits", some(screenVisits))
    members.add("launchMs", launchMs)
    members.add("launchKind", launchKind)
    members.add("slowFrames", some(slowFrames))
    members.add("frozenFrames", some(frozenFrames))
    members.add("requests", requests)
    members.add("errors", some(errors))
    members.add("crashes", some(crashes))
    members.add("memoryPeak", memoryPeak)
    members.add("memoryLeft", memoryLeft)
    members.add("memoryWarnings", some(memoryWarnings))
  }
}

private func some(_ count: Int) -> Int? { count == 0 ? nil : count }
