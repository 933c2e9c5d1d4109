import Foundation

/// An event as it stands in the index, with no more joined to it than what is said of it needs.
struct OutgoingRow: Sendable {
  var id: Int64
  var timestamp: Int64
  var received: Int64
  var type: String
  var sequence: Int64
  /// The number of the launch that delivered it.
  var launch: Int64 = 0
  /// Its context's number, which tells it from the others of the session.
  var context: Int64?
  /// What its context is called, in a store that has no numbers for them.
  var contextName: ContextName?
  var payload: Data

  var weight: Int { 100 + payload.count }
}
