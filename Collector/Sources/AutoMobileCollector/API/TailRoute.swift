import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /api/tail`: server-sent events (WHATWG HTML, 9.2). Each listener reads the index from where it is, so memory is
/// one page a listener, and `Last-Event-ID` goes on without a gap.
struct TailRoute: Sendable {
  let arrivals: any ArrivalReading
  let commits: CommitSignal
  let limits: CollectorLimits
  let people: PersonSessions
  /// Between comments that keep proxies from closing a quiet stream, in seconds.
  private let heartbeat = 15.0
  private let pageSize = 200

  func add(to routes: RouteTable) {
    routes.get("/api/tail", for: .reader) { request, context, scope in
      try await tail(scope, request, context.session)
    }
  }

  private func tail(_ scope: ReadScope, _ request: Request, _ session: PersonSession?) async throws -> Response {
    let filter = try request.eventFilter
    let start: Int64
    if let last = request.headers[.lastEventID] ?? request.parameter("lastEventId") {
      start = try PageCursor(last).id
    } else {
      start = try await arrivals.newestId(scope)
    }
    // After the start is known, so that no commit falls between.
    guard let signal = commits.listen(limit: limits.subscribers) else {
      throw APIError(
        .serviceUnavailable, "too_many_listeners", "there are \(limits.subscribers) listeners already", retryAfter: 5)
    }
    let body = ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "retry: 1000\n: listening\n\n"))
      try await follow(scope, session, from: start, filter, signal, &writer)
      try await writer.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"], body: body)
  }

  /// Writes what is there, then what comes, until the reader leaves or is signed out, or the collector stops.
  private func follow(
    _ scope: ReadScope, _ session: PersonSession?, from start: Int64, _ filter: EventFilter,
    _ signal: AsyncStream<Void>,
    _ writer: inout any ResponseBodyWriter
  ) async throws {
    var position = start
    for await wakeUp in Self.wakeUps(signal, heartbeat: heartbeat) {
      if let session, !people.isGood(session.id, at: WallClock.now) { return }
      if wakeUp == .heartbeat { try await writer.write(ByteBuffer(string: ": still here\n\n")) }
      while true {
        let (text, upTo, isBehind) = try await new(scope, after: position, filter)
        if text.readableBytes > 0 { try await writer.write(text) }
        position = upTo
        if !isBehind { break }
      }
    }
  }

  /// What has come, as text; the rows that it is made of are not kept while it waits to be taken.
  private func new(
    _ scope: ReadScope, after position: Int64, _ filter: EventFilter
  ) async throws -> (text: ByteBuffer, upTo: Int64, isBehind: Bool) {
    let (rows, upTo, isBehind) = try await arrivals.following(scope, position, limit: pageSize, filter: filter)
    return (Self.text(rows), upTo, isBehind)
  }

  private static func text(_ rows: [EventRow]) -> ByteBuffer {
    var text = ByteBuffer()
    for row in rows {
      var json = JSONOutput()
      row.write(to: &json)
      text.writeString("id: \(PageCursor(key: 0, id: row.place ?? row.id).text)\nevent: sdk-event\ndata: ")
      text.writeImmutableBuffer(json.buffer)
      text.writeString("\n\n")
    }
    return text
  }

  // MARK: Waking up

  private enum WakeUp { case commit, heartbeat }

  /// One wake-up at once, then one for each commit and each heartbeat; ends when the collector stops.
  private static func wakeUps(_ signal: AsyncStream<Void>, heartbeat: Double) -> AsyncStream<WakeUp> {
    let (stream, continuation) = AsyncStream<WakeUp>.makeStream(bufferingPolicy: .bufferingNewest(2))
    continuation.yield(.commit)
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { for await _ in signal { continuation.yield(.commit) } }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(heartbeat))
            continuation.yield(.heartbeat)
          }
        }
        await group.next()
        group.cancelAll()
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
