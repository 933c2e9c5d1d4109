import Foundation

/// One span in a list.
struct SpanRow: Weighed, Sendable {
  var row: Int64
  var trace: TraceName
  var span: Int64
  var parent: Int64?
  var timestamp: Int64
  /// In microseconds.
  var duration: Int64?
  var name: String
  var kind: String?
  var status: String?
  var message: String?
  var begun: Int64?
  var ended: Int64?
  /// Whose it is, and what else it says: in a list of more than one session.
  var session: String?
  var bundleId: String?
  var userId: String?
  var attributes: Data?

  static func attributes(_ payload: Data) -> Data? {
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
