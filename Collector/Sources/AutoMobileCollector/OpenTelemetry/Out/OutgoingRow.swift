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
  /// Its context's number.
  var context: Int64?
  var payload: Data

  var weight: Int { 100 + payload.count }
}
