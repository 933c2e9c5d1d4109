import AutoMobileHTTP
import AutoMobileSupport

/// An HTTP request that ended, with a response or with an error; or, when it is ``unfinished``, with its process.
///
/// Its JSON is that of an `HTTPExchange`.
public struct SdkNetworkRequestEvent: SdkEvent {
  public let eventType: SdkEventType
  /// In milliseconds since 1970.
  public let timestamp: Int64
  public let url: String
  public let method: String
  public let requestHeaders: [String: String]?
  /// In bytes.
  public let requestBodySize: Int?
  public let statusCode: Int?
  public let responseHeaders: [String: String]?
  /// In bytes.
  public let responseBodySize: Int?
  /// From sending to the end of the response, in milliseconds.
  public let durationMs: Double?
  /// Why there was no response.
  public let error: String?
  public let host: String?
  public let path: String?
  public let requestBody: String?
  public let responseBody: String?
  /// The response's media type.
  public let contentType: String?
  /// Joins the events of one request, when there are several.
  public let requestId: String?
  /// `base64` when the body is no UTF-8.
  public private(set) var requestBodyEncoding: String?
  public private(set) var responseBodyEncoding: String?
  /// Set when a body's size does not tell whether all of it was captured.
  public private(set) var requestBodyTruncated: Bool?
  public private(set) var responseBodyTruncated: Bool?
  /// The error's, for example `NSURLErrorDomain`.
  public private(set) var errorDomain: String?
  public private(set) var errorCode: Int?
  /// True when the process ended before the request did; then the next launch tells of it.
  public private(set) var unfinished: Bool?
  /// Answers that sent the client elsewhere, in order.
  public private(set) var redirects: [HTTPRedirect]?
  public private(set) var timings: HTTPTimings?
  public private(set) var transport: HTTPTransport?
  /// The operation's name, when the request was a GraphQL one.
  public private(set) var graphQLOperation: String?
  /// The value of the header that the app's services use to follow a request.
  public private(set) var tracerId: String?
  /// The W3C `traceparent` that the request carried.
  public private(set) var traceparent: String?
  /// The span inside of which the app made the request: 32 and 16 hexadecimal digits.
  public private(set) var traceId: String?
  public private(set) var parentSpanId: String?
  /// The mock rule that answered.
  public private(set) var mockRule: String?
  /// Which way the request came to be known: `urlprotocol`, `manual`, `websocket`.
  public private(set) var source: String?

  /// Stores no duration for what is not a finite number, since JSON has none but finite ones.
  public init(
    timestamp: Int64 = EventClock.now(), url: String, method: String, requestHeaders: [String: String]? = nil,
    requestBodySize: Int? = nil, statusCode: Int? = nil, responseHeaders: [String: String]? = nil,
    responseBodySize: Int? = nil, durationMs: Double? = nil, error: String? = nil, host: String? = nil,
    path: String? = nil, requestBody: String? = nil, responseBody: String? = nil, contentType: String? = nil,
    requestId: String? = nil
  ) {
    eventType = .networkRequest
    self.timestamp = timestamp
    self.url = url
    self.method = method
    self.requestHeaders = requestHeaders
    self.requestBodySize = requestBodySize
    self.statusCode = statusCode
    self.responseHeaders = responseHeaders
    self.responseBodySize = responseBodySize
    self.durationMs = durationMs.flatMap { $0.isFinite ? $0 : nil }
    self.error = error
    self.host = host
    self.path = path
    self.requestBody = requestBody
    self.responseBody = responseBody
    self.contentType = contentType
    self.requestId = requestId
  }

  /// - Parameter exchange: already redacted.
  package init(_ exchange: HTTPExchange) {
    let request = RecordedBody(exchange.requestBody)
    let response = RecordedBody(exchange.responseBody)
    self.init(
      timestamp: exchange.startedAt, url: exchange.url, method: exchange.method,
      requestHeaders: exchange.requestHeaders, requestBodySize: request.size, statusCode: exchange.statusCode,
      responseHeaders: exchange.responseHeaders, responseBodySize: response.size, durationMs: exchange.durationMs,
      error: exchange.error?.message, host: exchange.host, path: exchange.path, requestBody: request.text,
      responseBody: response.text, contentType: exchange.contentType,
      requestId: exchange.id.isEmpty ? nil : exchange.id)
    (requestBodyEncoding, requestBodyTruncated) = (request.encoding, request.isTruncated)
    (responseBodyEncoding, responseBodyTruncated) = (response.encoding, response.isTruncated)
    (errorDomain, errorCode) = (exchange.error?.domain, exchange.error?.code)
    unfinished = exchange.isUnfinished ? true : nil
    redirects = exchange.redirects.isEmpty ? nil : exchange.redirects
    (timings, transport) = (exchange.timings, exchange.transport)
    graphQLOperation = exchange.graphQLOperation
    (tracerId, traceparent) = (exchange.tracerId, exchange.traceparent)
    (traceId, parentSpanId) = (exchange.traceId, exchange.parentSpanId)
    (mockRule, source) = (exchange.mockRule, exchange.source)
  }

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.add("url", url)
    json.add("method", method)
    json.add("requestHeaders", requestHeaders)
    json.add("requestBodySize", requestBodySize)
    json.add("statusCode", statusCode)
    json.add("responseHeaders", responseHeaders)
    json.add("responseBodySize", responseBodySize)
    json.member("durationMs", durationMs)
    json.add("error", error)
    json.add("host", host)
    json.add("path", path)
    json.add("requestBody", requestBody)
    json.add("responseBody", responseBody)
    json.add("contentType", contentType)
    json.add("requestId", requestId)
    encodeDetails(into: &json)
  }
}

// By hand, and as the compiler would do it: see `MemberReader`.
extension SdkNetworkRequestEvent {
  public init(from decoder: any Decoder) throws {
    let members = try MemberReader(decoder)
    eventType = members.value("eventType", or: .custom)
    timestamp = members.value("timestamp")
    url = members.value("url")
    method = members.value("method")
    requestHeaders = members.value("requestHeaders")
    requestBodySize = members.value("requestBodySize")
    statusCode = members.value("statusCode")
    responseHeaders = members.value("responseHeaders")
    responseBodySize = members.value("responseBodySize")
    durationMs = members.value("durationMs")
    error = members.value("error")
    host = members.value("host")
    path = members.value("path")
    requestBody = members.value("requestBody")
    responseBody = members.value("responseBody")
    contentType = members.value("contentType")
    requestId = members.value("requestId")
    requestBodyEncoding = members.value("requestBodyEncoding")
    responseBodyEncoding = members.value("responseBodyEncoding")
    requestBodyTruncated = members.value("requestBodyTruncated")
    responseBodyTruncated = members.value("responseBodyTruncated")
    errorDomain = members.value("errorDomain")
    errorCode = members.value("errorCode")
    unfinished = members.value("unfinished")
    redirects = members.value("redirects")
    timings = members.value("timings")
    transport = members.value("transport")
    graphQLOperation = members.value("graphQLOperation")
    tracerId = members.value("tracerId")
    traceparent = members.value("traceparent")
    traceId = members.value("traceId")
    parentSpanId = members.value("parentSpanId")
    mockRule = members.value("mockRule")
    source = members.value("source")
    try members.end()
  }

  public func encode(to encoder: any Encoder) throws {
    let members = MemberWriter(encoder)
    members.add("eventType", eventType)
    members.add("timestamp", timestamp)
    members.add("url", url)
    members.add("method", method)
    members.add("requestHeaders", requestHeaders)
    members.add("requestBodySize", requestBodySize)
    members.add("statusCode", statusCode)
    members.add("responseHeaders", responseHeaders)
    members.add("responseBodySize", responseBodySize)
    members.add("durationMs", durationMs)
    members.add("error", error)
    members.add("host", host)
    members.add("path", path)
    members.add("requestBody", requestBody)
    members.add("responseBody", responseBody)
    members.add("contentType", contentType)
    members.add("requestId", requestId)
    members.add("requestBodyEncoding", requestBodyEncoding)
    members.add("responseBodyEncoding", responseBodyEncoding)
    members.add("requestBodyTruncated", requestBodyTruncated)
    members.add("responseBodyTruncated", responseBodyTruncated)
    members.add("errorDomain", errorDomain)
    members.add("errorCode", errorCode)
    members.add("unfinished", unfinished)
    members.add("redirects", redirects)
    members.add("timings", timings)
    members.add("transport", transport)
    members.add("graphQLOperation", graphQLOperation)
    members.add("tracerId", tracerId)
    members.add("traceparent", traceparent)
    members.add("traceId", traceId)
    members.add("parentSpanId", parentSpanId)
    members.add("mockRule", mockRule)
    members.add("source", source)
    try members.end()
  }
}
