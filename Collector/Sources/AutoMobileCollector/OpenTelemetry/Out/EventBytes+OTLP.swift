import Foundation

/// OpenTelemetry's messages as its own JSON has them: ids in hexadecimal digits, long numbers as text, what is empty left out.
///
/// Source: [JSON Protobuf Encoding](https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding) of the OpenTelemetry protocol.
extension EventBytes {
  mutating func logRecord(_ record: OTLP.LogRecord) {
    object {
      $0.time("timeUnixNano", record.timeUnixNano)
      if record.severityNumber.rawValue != 0 { $0.member("severityNumber", Int64(record.severityNumber.rawValue)) }
      if record.hasBody { $0.otlp("body", record.body) }
      $0.attributes("attributes", record.attributes)
      $0.id("traceId", record.traceID)
      $0.id("spanId", record.spanID)
      $0.time("observedTimeUnixNano", record.observedTimeUnixNano)
      $0.member("eventName", optional: record.eventName)
    }
  }

  mutating func span(_ span: OTLP.Span) {
    object {
      $0.id("traceId", span.traceID)
      $0.id("spanId", span.spanID)
      $0.id("parentSpanId", span.parentSpanID)
      $0.member("name", optional: span.name)
      if span.kind.rawValue != 0 { $0.member("kind", Int64(span.kind.rawValue)) }
      $0.time("startTimeUnixNano", span.startTimeUnixNano)
      $0.time("endTimeUnixNano", span.endTimeUnixNano)
      $0.attributes("attributes", span.attributes)
      guard span.hasStatus else { return }
      $0.name("status")
      $0.object {
        $0.member("message", optional: span.status.message)
        if span.status.code.rawValue != 0 { $0.member("code", Int64(span.status.code.rawValue)) }
      }
    }
  }

  mutating func resource(_ resource: OTLP.Resource) {
    object { $0.attributes("attributes", resource.attributes) }
  }

  mutating func scope(_ scope: OTLP.Scope) {
    object {
      $0.member("name", optional: scope.name)
      $0.member("version", optional: scope.version)
    }
  }

  private mutating func attributes(_ name: StaticString, _ attributes: [OTLP.KeyValue]) {
    guard !attributes.isEmpty else { return }
    self.name(name)
    list(attributes)
  }

  private mutating func list(_ attributes: [OTLP.KeyValue]) {
    array {
      for attribute in attributes {
        $0.object {
          $0.member("key", attribute.key)
          if attribute.hasValue { $0.otlp("value", attribute.value) }
        }
      }
    }
  }

  private mutating func otlp(_ name: StaticString, _ value: OTLP.AnyValue) {
    self.name(name)
    otlp(value)
  }

  private mutating func otlp(_ value: OTLP.AnyValue) {
    object {
      switch value.value {
      case .stringValue(let text)?: $0.member("stringValue", text)
      case .boolValue(let isTrue)?:
        $0.name("boolValue")
        $0.word(isTrue ? "true" : "false")
      case .intValue(let number)?:
        $0.name("intValue")
        $0.quoted { $0.integer(number) }
      case .doubleValue(let number)?: $0.member("doubleValue", number)
      case .arrayValue(let list)?:
        $0.name("arrayValue")
        $0.object {
          guard !list.values.isEmpty else { return }
          $0.name("values")
          $0.array { for element in list.values { $0.otlp(element) } }
        }
      case .kvlistValue(let list)?:
        $0.name("kvlistValue")
        $0.object { $0.attributes("values", list.values) }
      case .bytesValue(let data)?: $0.member("bytesValue", data.base64EncodedString())
      case .stringValueStrindex?, nil: break
      }
    }
  }

  private mutating func time(_ name: StaticString, _ nanoseconds: UInt64) {
    guard nanoseconds != 0 else { return }
    self.name(name)
    quoted { $0.integer(nanoseconds) }
  }

  private mutating func id(_ name: StaticString, _ id: Data) {
    if !id.isEmpty { member(name, hex: id) }
  }
}
