import Foundation
import GRDB

/// One span in a list.
struct SpanRow: FetchableRecord, Weighed, Sendable {
  private var row: Int64
  private var trace: TraceName
  private var span: Int64
  private var parent: Int64?
  private var timestamp: Int64
  /// In microseconds.
  private var duration: Int64?
  private var name: String
  private var kind: String?
  private var status: String?
  private var message: String?
  private var begun: Int64?
  private var ended: Int64?
  /// Whose it is, and what else it says: in a list of more than one session.
  private var session: String?
  private var bundleId: String?
  private var userId: String?
  private var attributes: Data?

  static let columns = """
    spans.id, trace, span, parent, spans.timestamp, spans.duration, spans.name, kind, status, message, begun, ended
    """
  static let placed = columns + ", session.sessionId, session.bundleId, session.userId, event.payload"
  static let joins = """
     JOIN session ON session.id = spans.session LEFT JOIN event ON event.id = IFNULL(ended, begun)
    """

  init(row: Row) {
    self.row = row[0]
    trace = TraceName(data: row[1])
    span = row[2]
    parent = row[3]
    timestamp = row[4]
    duration = row[5]
    name = row[6]
    kind = row[7]
    status = row[8]
    message = row[9]
    begun = row[10]
    ended = row[11]
    guard row.count > 12 else { return }
    session = row[12]
    bundleId = row[13]
    userId = row[14]
    let payload: Data? = row[15]
    attributes = payload.flatMap(Self.attributes)
  }

  private static func attributes(_ payload: Data) -> Data? {
    payload.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes, maximumDepth: CollectorLimits().jsonDepth)
      var found: Range<Int>?
      _ = try? scanner.document { scanner in
        try scanner.object { scanner, key in
          let isWanted = scanner.matches(key, "attributes")
          let value = try scanner.skip()
          if isWanted, value.kind == .object { found = value.range }
        }
      }
      return found.map { Data(bytes[$0]) }
    }
  }

  var weight: Int {
    300 + name.utf8.count + (message?.utf8.count ?? 0) + (attributes?.count ?? 0) + (userId?.utf8.count ?? 0)
  }

  var cursor: PageCursor { PageCursor(key: timestamp, id: row) }

  func write(to json: inout JSONOutput) {
    json.object {
      // The event that tells most of it.
      $0.member("event", ended ?? begun)
      if let begun, ended != nil { $0.member("begun", begun) }
      $0.member("timestamp", timestamp)
      if let duration { $0.member("durationMs", number: Double(duration) / 1000) }
      $0.member("name", name)
      $0.member("traceId", trace.text)
      $0.member("spanId", SpanName.text(span))
      if let parent { $0.member("parentSpanId", SpanName.text(parent)) }
      if let kind { $0.member("kind", kind) }
      if let status { $0.member("status", status) }
      if let message { $0.member("statusMessage", message) }
      guard let session else { return }
      $0.member("sessionId", session)
      $0.member("bundleId", bundleId)
      $0.member("userId", userId)
      if let attributes { $0.member("attributes", json: attributes) }
    }
  }
}
