/// An HTTP request that ended, with a response or with an error.
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

  /// - Parameter durationMs: nil is stored for what is not a finite number, since JSON has none but finite ones.
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

  public func encodeFields(into json: inout EventJSONWriter) {
    json.head(eventType, timestamp)
    json.member("url", url)
    json.member("method", method)
    json.member("requestHeaders", requestHeaders)
    json.member("requestBodySize", requestBodySize)
    json.member("statusCode", statusCode)
    json.member("responseHeaders", responseHeaders)
    json.member("responseBodySize", responseBodySize)
    json.member("durationMs", durationMs)
    json.member("error", error)
    json.member("host", host)
    json.member("path", path)
    json.member("requestBody", requestBody)
    json.member("responseBody", responseBody)
    json.member("contentType", contentType)
    json.member("requestId", requestId)
  }
}
