@testable import AutoMobileCollector

extension RawBatch {
  static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

  /// A span's begin, or, with a duration, its end.
  mutating func addSpan(
    _ name: String, _ span: String, parent: String? = nil, trace: String = RawBatch.trace, at timestamp: Int = 1000,
    duration: Double? = nil, context: Int = 1, more: String = ""
  ) {
    let parent = parent.map { ",\"parentSpanId\":\"\($0)\"" } ?? ""
    let duration = duration.map { ",\"durationMs\":\($0)" } ?? ""
    add(
      .event,
      "{\"eventType\":\"span\",\"timestamp\":\(timestamp),\"name\":\"\(name)\",\"traceId\":\"\(trace)\",\"spanId\":\"\(span)\""
        + "\(parent)\(duration)\(more),\"contextId\":\(context)}")
  }
}
