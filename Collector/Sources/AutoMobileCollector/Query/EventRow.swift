import Foundation

/// One event as the API gives it out.
struct EventRow: Weighed, Sendable {
  var id: Int64
  var launchId: String
  var sequence: Int64
  var eventType: String
  var timestamp: Int64
  var receivedAt: Int64
  var sessionId: String
  var payload: Data
  var context: Data?
  /// Of a report: the function at fault, as its issue has it; of one that was merged, as its own had.
  var culprit: String?
  /// In the order of arrival, where its number is no place there; see ``ArrivalOrder``.
  var place: Int64?

  var weight: Int { 400 + payload.count + (context?.count ?? 0) }

  func write(to json: inout JSONOutput) {
    json.object {
      $0.member("id", id)
      $0.member("launchId", launchId)
      $0.member("sequence", sequence)
      $0.member("eventType", eventType)
      $0.member("timestamp", timestamp)
      $0.member("receivedAt", receivedAt)
      $0.member("sessionId", sessionId)
      $0.member("payload", json: payload)
      $0.member("context", json: context)
      if let culprit { $0.member("culprit", culprit) }
    }
  }
}
