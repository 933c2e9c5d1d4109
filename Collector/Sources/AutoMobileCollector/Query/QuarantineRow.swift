import Foundation

/// One record that could not be indexed.
struct QuarantineRow: Weighed, Sendable {
  var id: Int64
  var launchId: String
  var sequence: Int64
  var kind: Int64
  var receivedAt: Int64
  var reason: String
  var payload: Data
  var length: Int64

  /// As text, what is none is three times as long.
  var weight: Int { 300 + reason.utf8.count + 3 * payload.count }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("launchId", launchId)
      $0.member("sequence", sequence)
      $0.member("kind", kind)
      $0.member("receivedAt", receivedAt)
      $0.member("reason", reason)
      $0.member("length", length)
      // The beginning, as text; bytes that are none become U+FFFD.
      $0.member("payload", String(decoding: payload, as: UTF8.self))
    }
  }
}
