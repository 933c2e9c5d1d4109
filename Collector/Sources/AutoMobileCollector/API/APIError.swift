import Hummingbird
import NIOCore

/// An answer that is not what was asked for: `{"ok":false,"error":{"code","message","offset"?,"index"?,"problems"?}}`.
struct APIError: Error, HTTPResponseError, Equatable {
  var status: HTTPResponse.Status
  /// For programs; never changes its meaning.
  var code: String
  /// For people: what was wrong, and what to do.
  var message: String
  /// Where in the body, in bytes, after decompression.
  var offset: Int?
  /// Which event of the batch.
  var index: Int?
  /// Of a document: everything that is wrong in it, each with its place.
  var problems: [PlacedError] = []
  /// Seconds after which the same request may succeed.
  var retryAfter: Int?

  init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, offset: Int? = nil, index: Int? = nil,
    retryAfter: Int? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.offset = offset
    self.index = index
    self.retryAfter = retryAfter
  }

  static func badRequest(_ code: String, _ message: String, offset: Int? = nil, index: Int? = nil) -> APIError {
    APIError(.badRequest, code, message, offset: offset, index: index)
  }

  static func tooLarge(_ message: String) -> APIError { APIError(.contentTooLarge, "too_large", message) }

  static func busy(_ message: String, retryAfter: Int = 2) -> APIError {
    APIError(.tooManyRequests, "busy", message, retryAfter: retryAfter)
  }

  func response(from request: Request, context: some RequestContext) throws -> Response { response }

  var response: Response {
    var response = json.response(status: status)
    if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
    return response
  }

  /// For an answer that is not made by the router.
  var body: ByteBuffer { json.buffer }

  private var json: JSONOutput {
    var json = JSONOutput()
    json.object {
      $0.member("ok", false)
      $0.object("error") {
        $0.member("code", code)
        $0.member("message", message)
        if let offset { $0.member("offset", Int64(offset)) }
        if let index { $0.member("index", Int64(index)) }
        if !problems.isEmpty { $0.array("problems") { PlacedError.write(problems, to: &$0) } }
      }
    }
    return json
  }
}
