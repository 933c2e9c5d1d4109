/// A request over HTTP and what came back: what was recorded of it, already redacted.
///
/// Its JSON is the JSON of a `network_request` event, so an exchange is one format everywhere: in telemetry, in the log on the
/// device, and in the collector. Members that are absent were not captured.
///
///     let exchange = try JSONDecoder().decode(HTTPExchange.self, from: eventJSON)
///     print(exchange.method, exchange.url, exchange.statusCode ?? exchange.error ?? "no answer")
public struct HTTPExchange: Codable, Sendable, Equatable, Identifiable {
  /// Names this exchange; unique within a launch of the app, and in practice everywhere.
  public var id: String
  /// When the request was handed to the system, in milliseconds since 1970.
  public var startedAt: Int64
  public var method: String
  /// Of the first request, before any redirect; values of its query may be redacted.
  public var url: String
  public var requestHeaders: [String: String]?
  public var requestBody: HTTPBody?
  /// Of the last response; nil when there was none.
  public var statusCode: Int?
  public var responseHeaders: [String: String]?
  public var responseBody: HTTPBody?
  /// The response's media type, with its parameters.
  public var contentType: String?
  /// From the request to the end of the response, or to the error, in milliseconds.
  public var durationMs: Double?
  /// Why there was no complete response.
  public var error: HTTPFailure?
  /// This was written when the request began, and nothing came after it: either it is still under way, or the process that
  /// waited for its answer has ended. There is no duration then, no answer and no error.
  public var isUnfinished = false
  /// Answers that sent the client elsewhere, in order.
  public var redirects: [HTTPRedirect] = []
  public var timings: HTTPTimings?
  public var transport: HTTPTransport?
  /// The operation's name, when the request was a GraphQL one.
  public var graphQLOperation: String?
  /// The value of the header that the app's services use to follow a request (a "conversation id").
  public var tracerId: String?
  /// The W3C `traceparent` that the request carried.
  public var traceparent: String?
  /// The span inside of which the app made the request: 32 and 16 hexadecimal digits.
  public var traceId: String?
  public var parentSpanId: String?
  /// The name of the mock rule that answered; nil when the answer came from the network.
  public var mockRule: String?
  /// Which way it came to be known, for example `urlprotocol` or `manual`.
  public var source: String?

  public init(id: String, startedAt: Int64, method: String, url: String) {
    self.id = id
    self.startedAt = startedAt
    self.method = method
    self.url = url
  }
}
