import Foundation
import NIOCore

/// Puts records into messages: as a file holds them, each line or run of bytes is one that can be sent as it is.
struct OutgoingMessages {
  private let format: OTLPFormat
  private let maximumDepth: Int
  private let scope: OTLP.Scope
  private var logs = OTLP.LogsRequest()
  private var spans = OTLP.TraceRequest()
  /// The context of the group at hand.
  private var current: Int64??
  private(set) var count = 0

  init(_ format: OTLPFormat, maximumDepth: Int) {
    self.format = format
    self.maximumDepth = maximumDepth
    var scope = OTLP.Scope()
    scope.name = "automobile"
    scope.version = Collector.version
    self.scope = scope
  }

  // MARK: Adding

  /// An event, as what its rule says: a log record or a span.
  ///
  /// - Parameter group: tells contexts apart; nil: the context's own number.
  mutating func add(_ row: OutgoingRow, _ context: OutgoingContext, group: Int64? = nil) {
    let number = group ?? row.context
    let record = OutgoingRecord(row, maximumDepth: maximumDepth)
    if OutgoingRule.rule(for: row.type).signal == .log {
      add(record.logRecord(context), context, number)
    } else {
      add(record.span(context), context, number)
    }
  }

  mutating func add(_ record: OTLP.LogRecord, _ context: OutgoingContext, _ number: Int64?) {
    if current != .some(number) || logs.resourceLogs.isEmpty {
      var group = OTLP.ResourceLogs()
      group.resource = context.resource
      group.scopeLogs = [OTLP.ScopeLogs.with { $0.scope = scope }]
      logs.resourceLogs.append(group)
      current = .some(number)
    }
    let record = format == .json ? Self.forJSON(record) : record
    logs.resourceLogs[logs.resourceLogs.count - 1].scopeLogs[0].logRecords.append(record)
    count += 1
  }

  mutating func add(_ span: OTLP.Span, _ context: OutgoingContext, _ number: Int64?) {
    if current != .some(number) || spans.resourceSpans.isEmpty {
      var group = OTLP.ResourceSpans()
      group.resource = context.resource
      group.scopeSpans = [OTLP.ScopeSpans.with { $0.scope = scope }]
      spans.resourceSpans.append(group)
      current = .some(number)
    }
    let span = format == .json ? Self.forJSON(span) : span
    spans.resourceSpans[spans.resourceSpans.count - 1].scopeSpans[0].spans.append(span)
    count += 1
  }

  // MARK: Taking

  /// What has been added, as bytes; nil when that is nothing. With it, one begins anew.
  mutating func take() -> ByteBuffer? {
    defer {
      logs = OTLP.LogsRequest()
      spans = OTLP.TraceRequest()
      current = nil
      count = 0
    }
    guard count > 0 else { return nil }
    return logs.resourceLogs.isEmpty ? format.bytes(of: spans) : format.bytes(of: logs)
  }

  // MARK: Ids

  private static func forJSON(_ record: OTLP.LogRecord) -> OTLP.LogRecord {
    guard !record.traceID.isEmpty || !record.spanID.isEmpty else { return record }
    var record = record
    record.traceID = HexID.forJSON(record.traceID)
    record.spanID = HexID.forJSON(record.spanID)
    return record
  }

  private static func forJSON(_ span: OTLP.Span) -> OTLP.Span {
    var span = span
    span.traceID = HexID.forJSON(span.traceID)
    span.spanID = HexID.forJSON(span.spanID)
    span.parentSpanID = HexID.forJSON(span.parentSpanID)
    return span
  }
}
