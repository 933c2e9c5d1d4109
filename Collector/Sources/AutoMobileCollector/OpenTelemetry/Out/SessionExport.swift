import Foundation
import NIOCore

/// Writes a session's log records, or its spans, as OTLP: page by page, so that its size does not matter.
struct SessionExport: Sendable {
  let outgoing: any OutgoingReading
  let format: OTLPFormat
  let maximumDepth: Int

  /// Begins of spans whose ends have not come; beyond, they go out as they are.
  private static let mostOpen = 10_000

  private struct SpanName: Hashable {
    var trace: Data
    var span: Data
  }

  /// - Parameter write: takes the file's bytes, in order.
  func write(
    _ scope: ReadScope, _ session: OutgoingSession, _ write: (ByteBuffer) async throws -> Void
  ) async throws {
    var messages = OutgoingMessages(format, session.spans ? .span : .log, maximumDepth: maximumDepth)
    var contexts: [Int64?: OutgoingContext] = [:]
    var open: [SpanName: OutgoingRow] = [:]
    var last = context(nil, of: session)
    if !session.spans, let first = session.first {
      messages.add(mark(EventNames.sessionStart, at: first, last), last, nil)
    }
    var cursor: PageCursor?
    repeat {
      let page = try await outgoing.page(scope, session, after: cursor)
      cursor = page.isFull ? page.rows.last.map { PageCursor(key: $0.timestamp, id: $0.id) } : nil
      for row in page.rows {
        if contexts[row.context] == nil {
          let json = try await outgoing.context(scope, of: row)
          // A session has few; one that changes with every event must not be held whole.
          if contexts.count > 500 { contexts = [:] }
          contexts[row.context] = context(json, of: session)
        }
        guard let context = contexts[row.context] else { continue }
        last = context
        if row.type == "span" {
          let record = OutgoingRecord(row, maximumDepth: maximumDepth)
          let name = SpanName(trace: record.identity.trace, span: record.identity.span)
          if record.isOpen, open.count < Self.mostOpen {
            open[name] = row
            continue
          }
          open[name] = nil
        }
        messages.add(row, context)
      }
      if let bytes = messages.take() { try await send(bytes, write) }
    } while cursor != nil
    for row in open.values.sorted(by: { ($0.timestamp, $0.id) < ($1.timestamp, $1.id) }) {
      messages.add(row, contexts[row.context] ?? last)
    }
    if !session.spans, let end = session.last, !session.isLive {
      messages.add(mark(EventNames.sessionEnd, at: end, last), last, nil)
    }
    if let bytes = messages.take() { try await send(bytes, write) }
  }

  /// Protobuf's messages joined are one message; JSON's stand each on a line, as OpenTelemetry's file exporter writes them.
  private func send(_ bytes: ByteBuffer, _ write: (ByteBuffer) async throws -> Void) async throws {
    var bytes = bytes
    if format == .json { bytes.writeString("\n") }
    try await write(bytes)
  }

  private func context(_ json: Data?, of session: OutgoingSession) -> OutgoingContext {
    OutgoingContext(json, session: session.sessionId, bundleId: session.bundleId, version: session.version)
  }

  /// The begin or the end of the session.
  private func mark(_ name: String, at milliseconds: Int64, _ context: OutgoingContext) -> OTLP.LogRecord {
    var record = OTLP.LogRecord()
    record.eventName = name
    record.timeUnixNano = OutgoingRecord.nanoseconds(milliseconds)
    record.observedTimeUnixNano = record.timeUnixNano
    record.severityNumber = .info
    record.attributes = context.attributes
    return record
  }
}
