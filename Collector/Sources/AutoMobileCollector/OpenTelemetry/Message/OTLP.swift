import OpenTelemetryProto

/// The messages of the OpenTelemetry protocol, by short names.
enum OTLP {
  typealias AnyValue = Opentelemetry_Proto_Common_V1_AnyValue
  typealias ArrayValue = Opentelemetry_Proto_Common_V1_ArrayValue
  typealias KeyValue = Opentelemetry_Proto_Common_V1_KeyValue
  typealias Scope = Opentelemetry_Proto_Common_V1_InstrumentationScope
  typealias Resource = Opentelemetry_Proto_Resource_V1_Resource

  typealias LogRecord = Opentelemetry_Proto_Logs_V1_LogRecord
  typealias ResourceLogs = Opentelemetry_Proto_Logs_V1_ResourceLogs
  typealias ScopeLogs = Opentelemetry_Proto_Logs_V1_ScopeLogs
  typealias LogsRequest = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceRequest
  typealias LogsResponse = Opentelemetry_Proto_Collector_Logs_V1_ExportLogsServiceResponse

  typealias Span = Opentelemetry_Proto_Trace_V1_Span
  typealias ResourceSpans = Opentelemetry_Proto_Trace_V1_ResourceSpans
  typealias ScopeSpans = Opentelemetry_Proto_Trace_V1_ScopeSpans
  typealias TraceRequest = Opentelemetry_Proto_Collector_Trace_V1_ExportTraceServiceRequest
  typealias TraceResponse = Opentelemetry_Proto_Collector_Trace_V1_ExportTraceServiceResponse

  typealias MetricsRequest = Opentelemetry_Proto_Collector_Metrics_V1_ExportMetricsServiceRequest
  typealias MetricsResponse = Opentelemetry_Proto_Collector_Metrics_V1_ExportMetricsServiceResponse
  typealias Metric = Opentelemetry_Proto_Metrics_V1_Metric
}

extension OTLP.KeyValue {
  init(_ key: String, _ value: OTLP.AnyValue.OneOf_Value) {
    self.init()
    self.key = key
    self.value.value = value
  }

  init(_ key: String, _ text: String) { self.init(key, .stringValue(text)) }
}

extension OTLP.AnyValue {
  /// The text that it is; nil when it is something else.
  var text: String? { if case .stringValue(let text)? = value { text } else { nil } }

  var integer: Int64? {
    switch value {
    case .intValue(let number): number
    case .doubleValue(let number): Int64(exactly: number.rounded())
    case .stringValue(let text): Int64(text)
    default: nil
    }
  }

  var number: Double? {
    switch value {
    case .intValue(let number): Double(number)
    case .doubleValue(let number): number
    case .stringValue(let text): Double(text)
    default: nil
    }
  }

  /// As text, whatever it is: what a tag or a property can hold.
  var anyText: String {
    switch value {
    case .stringValue(let text): return text
    case .boolValue(let isTrue): return isTrue ? "true" : "false"
    case .intValue(let number): return String(number)
    case .doubleValue(let number): return String(number)
    case nil: return ""
    default:
      var json = EventBytes()
      json.value(self)
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }
}
