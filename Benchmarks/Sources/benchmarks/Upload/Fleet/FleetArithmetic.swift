/// What a fleet's sessions send, and what that makes for a million phones: the arithmetic of Documentation/Fleet.md.
struct FleetArithmetic {
  /// What was measured of one way of sending, for each session on average.
  struct Session {
    /// Of bodies, as they go over the wire.
    var bytes: Double
    /// The same with the heads of requests, and with questions for a configuration.
    var bytesWithHeads: Double
    var requests: Double
    /// That arrive.
    var events: Double
    /// Of these as JSON.
    var eventBytes: Double
  }

  static let devices = 1_000_000.0
  static let sessions = 3.0
  /// Processor of a collector for a delivery of a single event, in seconds: Documentation/Performance.md, *Collector: taking in*.
  static let processor = 350e-6
  /// How many times the mean the busiest time of the day has, as `automobile size` takes it.
  static let peak = 4.0

  static func tell(_ name: String, _ session: Session, _ report: Report) {
    let aDay = devices * sessions
    report.value("\(name): GB received, a day", aDay * session.bytesWithHeads / 1e9, "%.1f")
    report.value("\(name): MB from each phone, in 30 days", sessions * 30 * session.bytesWithHeads / 1e6, "%.2f")
    let busiest = aDay * session.requests / 86_400 * peak
    report.value("\(name): requests a second, busiest", busiest, "%.0f")
    report.value("\(name): cores for these", busiest * processor, "%.2f")
    report.value("\(name): events a second, busiest", aDay * session.events / 86_400 * peak, "%.0f")
    report.value("\(name): for automobile size, --events", session.events, "%.1f")
    report.value("\(name): for automobile size, --event-bytes", session.eventBytes, "%.0f")
  }
}
