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
    json.member("id", id)
    json.member("viewName", viewName)
    json.member("totalCount", totalCount)
    json.member("rollingAverage", rollingAverage)
    json.member("averageDurationMs", averageDurationMs)
  }
}
