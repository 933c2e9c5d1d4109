import GRDB

extension EventRow: FetchableRecord {
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
}
