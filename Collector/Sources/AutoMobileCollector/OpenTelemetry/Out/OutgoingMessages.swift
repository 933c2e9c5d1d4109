import Foundation
import NIOCore

/// Puts records of one signal into a message: as a file holds them, each line or run of bytes is one that can be sent as it is.
struct OutgoingMessages {
  private let format: OTLPFormat
  private let signal: OutgoingRule.Signal
  private let maximumDepth: Int
  private let scope: OTLP.Scope
  private var protobuf = ProtobufWriter()
  private var json = EventBytes()
  /// The context of the group at hand.
  private var current: Int64??
  /// In protobuf, that group, and in it the records.
  private var open: (group: ProtobufWriter.Open, records: ProtobufWriter.Open)?
  private(set) var count = 0

  init(_ format: OTLPFormat, _ signal: OutgoingRule.Signal, maximumDepth: Int) {
    (self.format, self.signal) = (format, signal)
    self.maximumDepth = maximumDepth
    var scope = OTLP.Scope()
    scope.name = "automobile"
    scope.version = Collector.version
    self.scope = scope
  }

  // MARK: Adding

  /// An event, as a log record or as a span.
  ///
  /// - Parameter group: tells contexts apart; nil: the context's own number.
  mutating func add(_ row: OutgoingRow, _ context: OutgoingContext, group: Int64? = nil) {
    let number = group ?? row.context
    let record = OutgoingRecord(row, maximumDepth: maximumDepth)
    switch signal {
    case .log: add(record.logRecord(context), context, number)
    case .span: add(record.span(context), context, number)
    }
  }

  mutating func add(_ record: OTLP.LogRecord, _ context: OutgoingContext, _ number: Int64?) {
    begin(context, number)
    switch format {
    case .protobuf: protobuf.nested(Field.records) { $0.logRecord(record) }
    case .json: json.logRecord(record)
    }
  }

  mutating func add(_ span: OTLP.Span, _ context: OutgoingContext, _ number: Int64?) {
    begin(context, number)
    switch format {
    case .protobuf: protobuf.nested(Field.records) { $0.span(span) }
    case .json: json.span(span)
    }
  }

  // MARK: Taking

  /// What has been added, as bytes; nil when that is nothing. With it, one begins anew.
  mutating func take() -> ByteBuffer? {
    guard count > 0 else { return nil }
    end()
    defer {
      protobuf.clear()
      json.clear()
      current = nil
      count = 0
    }
    guard format == .json else { return ByteBuffer(bytes: protobuf.bytes) }
    json.end("]")
    json.end("}")
    return ByteBuffer(bytes: json.bytes)
  }

  // MARK: Groups

  /// The same numbers in logs and in traces: resources in a message, their scopes, the records of these.
  private enum Field {
    static let groups: UInt64 = 1
    static let resource: UInt64 = 1
    static let scopes: UInt64 = 2
    static let scope: UInt64 = 1
    static let records: UInt64 = 2
  }

  /// Counts a record, and begins a group for it unless it is of the one at hand.
  private mutating func begin(_ context: OutgoingContext, _ number: Int64?) {
    let isFirst = count == 0
    count += 1
    guard isFirst || current != .some(number) else { return }
    end()
    current = .some(number)
    guard format == .json else {
      let group = protobuf.begin(Field.groups)
      protobuf.nested(Field.resource) { $0.resource(context.resource) }
      let records = protobuf.begin(Field.scopes)
      protobuf.nested(Field.scope) { [scope] in $0.scope(scope) }
      open = (group, records)
      return
    }
    if isFirst {
      json.begin("{")
      json.name(signal == .log ? "resourceLogs" : "resourceSpans")
      json.begin("[")
    }
    json.begin("{")
    json.name("resource")
    json.resource(context.resource)
    json.name(signal == .log ? "scopeLogs" : "scopeSpans")
    json.begin("[")
    json.begin("{")
    json.name("scope")
    json.scope(scope)
    json.name(signal == .log ? "logRecords" : "spans")
    json.begin("[")
  }

  private mutating func end() {
    guard current != nil else { return }
    if let open {
      protobuf.end(open.records)
      protobuf.end(open.group)
      self.open = nil
    } else {
      for bracket in ["]", "}", "]", "}"] as [Unicode.Scalar] { json.end(bracket) }
    }
    current = nil
  }
}
