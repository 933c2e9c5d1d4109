/// What rules would have done with what is stored.
struct DryRunFigures: Sendable {
  struct OfRule: Sendable, Equatable {
    /// Events to which it applies.
    var matched: Int64 = 0
    /// How often it would have marked a stretch: an event in the middle of one only makes it longer.
    var fired: Int64 = 0
    /// How often it would have, but for `perDay`.
    var limited: Int64 = 0
    var sessions: Int64 = 0
    var devices: Int64 = 0
    var sent = LaunchStretches.Sum()
  }

  var rules: [OfRule]
  /// What would have been sent: where stretches overlap, it is counted once.
  var total = LaunchStretches.Sum()
  /// Of this, what goes whatever rules say.
  var always = LaunchStretches.Sum()
  var everything = LaunchStretches.Sum()
  /// What was looked at.
  var launches: Int64 = 0
  var devices: Int64 = 0
  var sessions: Int64 = 0
  /// Sessions of which something would have been sent.
  var sentSessions: Int64 = 0
  /// Of those that were looked at, sessions of which only a summary has come: what else there was stayed on the device.
  var summaries: Int64 = 0

  init(rules: Int) { self.rules = Array(repeating: OfRule(), count: rules) }
}

/// The answer to a dry run.
struct DryRun: Sendable {
  var figures: DryRunFigures
  /// In milliseconds since 1970, by the events' times.
  var from: Int64
  var to: Int64
  /// Not all of it was looked at: there is too much, or it would have taken too long.
  var isPartial = false
  /// How much smaller some of the newest events become when they are compressed.
  var sample = Sample()

  struct Sample: Sendable {
    var bytes: Int64 = 0
    var compressed: Int64 = 0
  }
}
