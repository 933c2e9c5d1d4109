import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore

/// Asks the API inside of this process: the router is handed a request, as the server hands it those that come over the
/// network, and with the key of whoever called.
struct RoutedQuestions: Questions {
  let router: RouterHandle
  /// Of the request that asks; nil when nobody asks over the network.
  let asking: (request: Request, context: CollectorContext)?
  let logger: Logger

  /// What says who somebody is.
  private static let keys: [HTTPField.Name] = [
    .authorization, .xAPIKey, .xPublicKey, .cookie, .origin, .secFetchSite, .xAutoMobileViewer,
  ]

  func ask(_ question: Question) async throws -> QuestionAnswer {
    guard let method = HTTPRequest.Method(question.method.rawValue) else { throw APIError.badRequest("no_method", "") }
    var headers = HTTPFields()
    for name in Self.keys { headers[name] = asking?.request.headers[name] }
    if question.body != nil { headers[.contentType] = "application/json" }
    let request = Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: asking?.request.head.authority, path: question.target,
        headerFields: headers),
      body: RequestBody(buffer: question.body ?? ByteBuffer()))
    let context = asking.map { CollectorContext(beside: $0.context) } ?? CollectorContext(within: logger)
    let response = try await router.respond(request, context)
    let collected = CollectedBody()
    try await response.body.write(CollectingWriter(body: collected))
    return QuestionAnswer(
      status: response.status.code, body: collected.bytes,
      isCompressed: response.headers[.contentEncoding] == "gzip")
  }
}

/// The router, known once all routes are added to it; the route that asks it is one of them.
final class RouterHandle: Sendable {
  private typealias Answering = @Sendable (Request, CollectorContext) async throws -> Response
  private let answering = NIOLockedValueBox<Answering?>(nil)

  func set(_ router: Router<CollectorContext>) {
    let responder = router.buildResponder()
    answering.withLockedValue { $0 = { try await responder.respond(to: $0, context: $1) } }
  }

  func respond(_ request: Request, _ context: CollectorContext) async throws -> Response {
    guard let answering = answering.withLockedValue({ $0 }) else {
      throw APIError(.serviceUnavailable, "starting", "the collector is starting", retryAfter: 1)
    }
    return try await answering(request, context)
  }
}

private final class CollectedBody: Sendable {
  /// Whatever a route gives out at once is smaller.
  static let longest = 64 << 20
  private let box = NIOLockedValueBox(ByteBuffer())

  var bytes: ByteBuffer { box.withLockedValue { $0 } }

  func append(_ buffer: ByteBuffer) throws {
    try box.withLockedValue {
      guard $0.readableBytes + buffer.readableBytes <= Self.longest else {
        throw APIError.tooLarge("this is too large to be looked at here")
      }
      $0.writeImmutableBuffer(buffer)
    }
  }
}

private struct CollectingWriter: ResponseBodyWriter {
  let body: CollectedBody

  mutating func write(_ buffer: ByteBuffer) async throws { try body.append(buffer) }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
