import AutoMobileHTTP
import AutoMobileRecorder

extension HTTPExchange {
  /// Says inside of which span the app made the request.
  mutating func join(_ span: SdkSpanContext?) {
    guard let span else { return }
    traceId = span.traceId
    parentSpanId = span.spanId
  }
}
