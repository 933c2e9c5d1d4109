/// The launches that a session is of: each is a process of its trace.
struct TraceLaunch: Sendable {
  /// As events name it that it delivered.
  var row: Int64
  /// As events of later launches name it.
  var given: String
  /// Its last event, of whatever session, in milliseconds since 1970.
  var last: Int64?
  /// What it had in use when it was last seen, in megabytes.
  var memory: (used: Int64, at: Int64)?

  /// More than these are not told apart.
  static let most = 1000
}
