import AutoMobileSupport

/// How often the bodies of tracked views were evaluated.
public struct SdkViewBodySnapshotEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let snapshots: [ViewBodySnapshot]

  public init(timestamp: Int64 = EventClock.now(), snapshots: [ViewBodySnapshot]) {
    eventType = .viewBodySnapshot
    self.timestamp = timestamp
    self.snapshots = snapshots
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.objects("snapshots", snapshots) { $0.encodeFields(into: &$1) }
  }
}

/// One tracked view's figures.
public struct ViewBodySnapshot: Codable, Sendable, Equatable {
  public let id: String
  public let viewName: String?
  /// Evaluations since tracking began.
  public let totalCount: Int
  /// Evaluations a second, lately.
  public let rollingAverage: Double
  /// In milliseconds; nil when no duration was measured.
  public let averageDurationMs: Double?

  /// Stores an average of 0, and no duration, for what is not a finite number, since JSON has none but finite ones.
  public init(
    id: String, viewName: String?, totalCount: Int, rollingAverage: Double, averageDurationMs: Double?
  ) {
    self.id = id
    self.viewName = viewName
    self.totalCount = totalCount
    self.rollingAverage = rollingAverage.isFinite ? rollingAverage : 0
    self.averageDurationMs = averageDurationMs.flatMap { $0.isFinite ? $0 : nil }
  }

  func encodeFields(into json: inout EventJSONWriter) {
    json.add("id", id)
    json.add("viewName", viewName)
    json.add("totalCount", totalCount)
    json.member("rollingAverage", rollingAverage)
    json.member("averageDurationMs", averageDurationMs)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkViewBodySnapshotEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    snapshots = members.value("snapshots", or: [])
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("snapshots", snapshots)
    try members.end()
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension ViewBodySnapshot {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    id = members.value("id")
    viewName = members.value("viewName")
    totalCount = members.value("totalCount")
    rollingAverage = members.value("rollingAverage")
    averageDurationMs = members.value("averageDurationMs")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("id", id)
    members.add("viewName", viewName)
    members.add("totalCount", totalCount)
    members.add("rollingAverage", rollingAverage)
    members.add("averageDurationMs", averageDurationMs)
    try members.end()
  }
}
