import NIOCore

/// What a receiver is sent when somebody tries out a forwarder: a log record that says so, or a resource without spans.
enum ForwardTest {
  static let event = "automobile.forwarder.test"

  static func batch(of signal: ForwardSignal, _ format: OTLPFormat, at now: Int64 = WallClock.now) -> ForwardBatch {
    var resource = OTLP.Resource()
    resource.attributes = [OTLP.KeyValue("service.name", "automobile")]
    var batch = ForwardBatch(end: 0)
    switch signal {
    case .logs:
      var record = OTLP.LogRecord()
      record.timeUnixNano = OutgoingRecord.nanoseconds(now)
      record.observedTimeUnixNano = record.timeUnixNano
      record.eventName = event
      record.severityNumber = .info
      record.body.stringValue = "Somebody tried out this forwarder. Nothing has happened."
      var group = OTLP.ResourceLogs()
      group.resource = resource
      group.scopeLogs = [OTLP.ScopeLogs.with { $0.logRecords = [record] }]
      batch.body = format.bytes(of: OTLP.LogsRequest.with { $0.resourceLogs = [group] })
      batch.count = 1
    case .traces:
      var group = OTLP.ResourceSpans()
      group.resource = resource
      batch.body = format.bytes(of: OTLP.TraceRequest.with { $0.resourceSpans = [group] })
    }
    return batch
  }
}
