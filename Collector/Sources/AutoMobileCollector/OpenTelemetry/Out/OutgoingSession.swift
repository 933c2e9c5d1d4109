/// A session that is exported.
struct OutgoingSession: Sendable {
  /// By which its store knows it.
  var row: Int64
  /// The same, in a store that has no numbers for sessions.
  var name: SessionName?
  var sessionId: String
  var bundleId: String?
  var version: String?
  var first: Int64?
  var last: Int64?
  var isLive: Bool
  /// Of the events that are wanted.
  var spans: Bool
  /// The types that are wanted: their names, by the numbers that the store has for them.
  var types: [Int64: String]
}
