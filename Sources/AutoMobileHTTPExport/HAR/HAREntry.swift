/// One entry of an HTTP archive, with the names of HAR 1.2. What the specification does not know begins with an
/// underscore, as it asks for; where browsers have a name for it, with theirs.
struct HAREntry: Encodable {
  struct NameValue: Encodable, Equatable {
    var name: String
    var value: String
  }

  struct Cookie: Encodable, Equatable {
    var name: String
    var value: String
    var path: String?
    var domain: String?
    var expires: String?
    var httpOnly: Bool?
    var secure: Bool?
    var _sameSite: String?
  }

  struct Request: Encodable {
    var method: String
    var url: String
    var httpVersion: String
    var cookies: [Cookie] = []
    var headers: [NameValue] = []
    var queryString: [NameValue] = []
    var postData: PostData?
    /// Not known: what is recorded are the headers' contents, not their form on the wire.
    var headersSize = -1
    var bodySize = -1
    var comment: String?
  }

  struct PostData: Encodable {
    struct Parameter: Encodable {
      var name: String
      var value: String?
      var fileName: String?
      var contentType: String?
    }

    var mimeType: String
    var params: [Parameter] = []
    var text: String
    /// HAR has no way to say that a request's body is in base64.
    var _encoding: String?
    var comment: String?
  }

  struct Response: Encodable {
    var status = 0
    var statusText = ""
    var httpVersion: String
    var cookies: [Cookie] = []
    var headers: [NameValue] = []
    var content = Content()
    var redirectURL = ""
    var headersSize = -1
    var bodySize = -1
    var _transferSize: Int64?
    var _error: String?
    var comment: String?
  }

  struct Content: Encodable {
    var size = 0
    var mimeType = "x-unknown"
    var text: String?
    var encoding: String?
    var comment: String?
  }

  struct Cache: Encodable {}

  struct WebSocketMessage: Encodable {
    /// `send` or `receive`.
    var type: String
    /// In seconds since 1970.
    var time: Double
    /// RFC 6455, section 5.2.
    var opcode: Int
    /// Text, or base64 of what is binary.
    var data: String
  }

  var startedDateTime: String
  /// In milliseconds, the sum of the timings.
  var time: Double
  var request: Request
  var response: Response
  var cache = Cache()
  var timings: HARTimings
  var serverIPAddress: String?
  var comment: String?

  var _resourceType = "fetch"
  var _webSocketMessages: [WebSocketMessage]?
  var _requestId: String?
  var _errorDomain: String?
  var _errorCode: Int?
  var _graphQLOperation: String?
  var _tracerId: String?
  var _traceparent: String?
  var _mocked: Bool?
  var _mockRule: String?
  var _isCached: Bool?
  var _isReused: Bool?
  var _isProxied: Bool?
  var _tlsVersion: String?
  var _source: String?
}
