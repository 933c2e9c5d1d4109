import NIOCore

/// Writes a session as a trace that Perfetto, Chrome and other programs open: page by page, so that its size does not matter.
struct TraceExport: Sendable {
  let outgoing: any OutgoingReading
  let symbolizer: Symbolizer
  let maximumDepth: Int

  /// Hangs whose functions are looked up; those of others have the names that the app gave them.
  private static let mostSymbolicated = 100

  /// - Parameter write: takes the file's bytes, in order.
  func write(
    _ scope: ReadScope, _ session: OutgoingSession, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    let launches = try await outgoing.launches(scope, of: session)
    var page = try await outgoing.page(scope, session, after: nil)
    let start = page.rows.first?.timestamp ?? session.first ?? 0
    try await write(Self.head(session, from: start))
    var story = TraceStory(session, launches, from: start, maximumDepth: maximumDepth)
    var symbolicated = 0
    while true {
      for row in page.rows {
        var report: CrashReport?
        if row.type == "hang" {
          report = await self.report(row, symbolicating: symbolicated < Self.mostSymbolicated)
          symbolicated += 1
        }
        story.add(row, report)
      }
      guard page.isFull, let last = page.rows.last else { break }
      try await write(story.take())
      page = try await outgoing.page(scope, session, after: PageCursor(key: last.timestamp, id: last.id))
    }
    story.finish()
    var end = story.take()
    end.writeString("]}\n")
    try await write(end)
  }

  private func report(_ row: OutgoingRow, symbolicating: Bool) async -> CrashReport? {
    let event = row.payload.withUnsafeBytes {
      try? EventReport(payload: $0, type: row.type, maximumDepth: maximumDepth)
    }
    guard let report = event?.report, symbolicating else { return event?.report }
    return (try? await symbolizer.symbolicate(report)) ?? report
  }

  /// What it is of, and the name of the list that everything else stands in.
  private static func head(_ session: OutgoingSession, from start: Int64) -> ByteBuffer {
    var about = JSONOutput()
    about.object {
      $0.member("session", session.sessionId)
      $0.member("app", session.bundleId)
      $0.member("version", session.version)
      $0.member("startMs", start)
      $0.member("live", session.isLive)
    }
    var head = ByteBuffer(string: "{\"displayTimeUnit\":\"ms\",\"otherData\":")
    head.writeImmutableBuffer(about.take())
    head.writeString(",\"traceEvents\":[")
    return head
  }
}
