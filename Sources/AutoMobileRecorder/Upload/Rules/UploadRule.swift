/// When something happens, what around it is sent.
///
///     UploadRule("slow checkout", when: .request(UploadRequest(pathPrefix: "/checkout", atLeastMs: 3000)),
///       send: UploadSpan(minutesBefore: 2, minutesAfter: 1, perDay: 10))
public struct UploadRule: Sendable, Equatable {
  /// By which marks, diagnostics and the collector name it: 80 bytes at most, what is more is cut off.
  public var name: String { didSet { name = name.limited(to: Self.longestName) } }
  public var when: UploadTrigger
  public var send: UploadSpan

  static let longestName = 80

  public init(_ name: String, when: UploadTrigger, send: UploadSpan = UploadSpan()) {
    self.name = name.limited(to: Self.longestName)
    self.when = when
    self.send = send
  }
}

/// What a rule sends when it applies.
public struct UploadSpan: Sendable, Equatable {
  /// The most minutes on either side.
  public static let maximumMinutes = 60.0

  /// Minutes before the event: 0 … 60, by the events' times.
  public var minutesBefore: Double { didSet { minutesBefore = Self.minutes(minutesBefore) } }
  /// Minutes after it: 0 … 60. They end with their launch.
  public var minutesAfter: Double { didSet { minutesAfter = Self.minutes(minutesAfter) } }
  /// How often a day the rule applies on this device at most: 1 … 1000; nil: as often as it does. A day is one of the calendar in
  /// UTC. An event that falls into what the rule has marked before only makes that longer, and is not counted.
  public var perDay: Int? { didSet { perDay = Self.count(perDay) } }
  /// What has the higher one goes first: 0 … 9.
  public var priority: Int { didSet { priority = Self.priority(priority) } }
  /// Whether these minutes of a replay that was recorded go, too.
  public var replay: Bool
  /// Whether bodies of requests and payloads of WebSocket frames go, where the app has them recorded. Without them their sizes go, and
  /// a member that says what stayed. What another rule, or somebody at the collector, asks for with bodies goes with them.
  public var bodies: Bool

  public init(
    minutesBefore: Double = 2, minutesAfter: Double = 0.5, perDay: Int? = nil, priority: Int = 5, replay: Bool = true,
    bodies: Bool = true
  ) {
    self.minutesBefore = Self.minutes(minutesBefore)
    self.minutesAfter = Self.minutes(minutesAfter)
    self.perDay = Self.count(perDay)
    self.priority = Self.priority(priority)
    self.replay = replay
    self.bodies = bodies
  }

  /// No number counts as 0.
  private static func minutes(_ minutes: Double) -> Double {
    minutes.isNaN ? 0 : min(max(0, minutes), maximumMinutes)
  }
  private static func count(_ count: Int?) -> Int? { count.map { min(max(1, $0), 1000) } }
  private static func priority(_ priority: Int) -> Int { min(max(0, priority), 9) }

  var beforeMs: Int64 { Int64(saturating: minutesBefore * 60_000) }
  var afterMs: Int64 { Int64(saturating: minutesAfter * 60_000) }
}
