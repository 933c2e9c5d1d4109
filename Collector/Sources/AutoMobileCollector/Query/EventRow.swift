import Foundation
import GRDB

/// One event as the API gives it out.
struct EventRow: FetchableRecord, Weighed, Sendable {
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

  static let selectColumns = """
    SELECT event.id, launch.launchId, event.sequence, event_type.name, event.timestamp, event.received,
      session.sessionId, event.payload, context.json, CASE WHEN event_type.name IN ('crash', 'hang', 'handled_exception')
        THEN (SELECT \(IssueMerges.own("culprit")) FROM issue_event JOIN issue ON issue.id = issue_event.issue
          \(IssueMerges.joinPart) WHERE issue_event.event = event.id) END
    """
  static let joins = """
     JOIN launch ON launch.id = event.launch JOIN event_type ON event_type.id = event.type
     JOIN session ON session.id = event.session LEFT JOIN context ON context.id = event.context
    """
  static let select = selectColumns + " FROM event" + joins

  init(row: Row) {
    id = row[0]
    launchId = row[1]
    sequence = row[2]
    eventType = row[3]
    timestamp = row[4]
    receivedAt = row[5]
    sessionId = row[6]
    payload = row[7]
    context = row[8]
    culprit = row[9]
  }

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
