import Foundation

/// OpenTelemetry's messages, with the numbers that `opentelemetry/proto` gives their fields. What a message has and no exporter of ours
/// sets (dropped counts, events and links of spans) is not written.
extension ProtobufWriter {
  mutating func logRecord(_ record: OTLP.LogRecord) {
    if record.timeUnixNano != 0 { fixed64(1, record.timeUnixNano) }
    if record.severityNumber.rawValue != 0 { varint(2, UInt64(record.severityNumber.rawValue)) }
    if record.hasBody { nested(5) { $0.value(record.body) } }
    attributes(6, record.attributes)
    if !record.traceID.isEmpty { data(9, record.traceID) }
    if !record.spanID.isEmpty { data(10, record.spanID) }
    if record.observedTimeUnixNano != 0 { fixed64(11, record.observedTimeUnixNano) }
    if !record.eventName.isEmpty { string(12, record.eventName) }
  }

  mutating func span(_ span: OTLP.Span) {
    if !span.traceID.isEmpty { data(1, span.traceID) }
    if !span.spanID.isEmpty { data(2, span.spanID) }
    if !span.parentSpanID.isEmpty { data(4, span.parentSpanID) }
    if !span.name.isEmpty { string(5, span.name) }
    if span.kind.rawValue != 0 { varint(6, UInt64(span.kind.rawValue)) }
    if span.startTimeUnixNano != 0 { fixed64(7, span.startTimeUnixNano) }
    if span.endTimeUnixNano != 0 { fixed64(8, span.endTimeUnixNano) }
    attributes(9, span.attributes)
    guard span.hasStatus else { return }
    nested(15) {
      if !span.status.message.isEmpty { $0.string(2, span.status.message) }
      if span.status.code.rawValue != 0 { $0.varint(3, UInt64(span.status.code.rawValue)) }
    }
  }

  mutating func resource(_ resource: OTLP.Resource) { attributes(1, resource.attributes) }

  mutating func scope(_ scope: OTLP.Scope) {
    if !scope.name.isEmpty { string(1, scope.name) }
    if !scope.version.isEmpty { string(2, scope.version) }
  }

  private mutating func attributes(_ field: UInt64, _ attributes: [OTLP.KeyValue]) {
    for attribute in attributes {
      nested(field) {
        if !attribute.key.isEmpty { $0.string(1, attribute.key) }
        if let value = attribute.value.value { $0.nested(2) { $0.value(value) } }
      }
    }
  }

  private mutating func value(_ value: OTLP.AnyValue) {
    if let value = value.value { self.value(value) }
  }

  private mutating func value(_ value: OTLP.AnyValue.OneOf_Value) {
    switch value {
    case .stringValue(let text): string(1, text)
    case .boolValue(let isTrue): varint(2, isTrue ? 1 : 0)
    case .intValue(let number): varint(3, UInt64(bitPattern: number))
    case .doubleValue(let number): fixed64(4, number.bitPattern)
    case .arrayValue(let list): nested(5) { for element in list.values { $0.nested(1) { $0.value(element) } } }
    case .kvlistValue(let list): nested(6) { $0.attributes(1, list.values) }
    case .bytesValue(let data): self.data(7, data)
    // An index into a table of texts, which profiles have and logs and spans have not.
    case .stringValueStrindex: break
    }
  }
}
