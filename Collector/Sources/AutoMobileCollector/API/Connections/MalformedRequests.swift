import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Refuses requests that are no HTTP, or mean two things at once, and says why.
///
/// The decoder has the syntax, lengths that contradict each other included. A second `Host` it lets pass: one program on
/// the way may go by the first of them, another one by the last. Such a request becomes an error like the decoder's own,
/// so that it is answered in its turn, behind the answers to the requests before it; the server's answer to errors is an
/// empty 400, which gets its reason here.
final class MalformedRequests: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let noHTTP = APIError.badRequest("malformed_request", "this is not a valid HTTP request")

  private var problem: APIError?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard problem == nil else { return }
    // The first `Host` is the request's authority; only others are among its fields.
    if case .head(let head) = unwrapInboundIn(data), head.headerFields.contains(.secondHost) {
      return refuse(
        .badRequest("doubled_host", "a request must have one Host"), HTTPParserError.invalidHeaderToken, context)
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard problem == nil else { return }
    switch error {
    case HTTPParserError.headerOverflow:
      let answer = APIError(
        .requestHeaderFieldsTooLarge, "headers_too_large", "the request has too many header fields, or too large ones")
      refuse(answer, error, context)
    case HTTPParserError.closedConnection, HTTPParserError.invalidEOFState: context.fireErrorCaught(error)
    case is HTTPParserError: refuse(Self.noHTTP, error, context)
    // Not an error that the server would answer.
    case is HTTP1TypeConversionError: refuse(Self.noHTTP, HTTPParserError.invalidMethod, context)
    default: context.fireErrorCaught(error)
    }
  }

  private func refuse(_ answer: APIError, _ error: any Error, _ context: ChannelHandlerContext) {
    problem = answer
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let problem, case .head(let head) = unwrapOutboundIn(data), Self.isEmptyRefusal(head) else {
      return context.write(data, promise: promise)
    }
    let body = problem.body
    var full = HTTPResponse(status: problem.status, headerFields: head.headerFields)
    full.headerFields[.contentType] = "application/json"
    full.headerFields[.contentLength] = String(body.readableBytes)
    full.headerFields[.xContentTypeOptions] = "nosniff"
    context.write(wrapOutboundOut(.head(full)), promise: promise)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
  }

  private static func isEmptyRefusal(_ head: HTTPResponse) -> Bool {
    head.status == .badRequest && head.headerFields[.connection] == "close" && head.headerFields[.contentLength] == "0"
  }
}

@available(*, unavailable)
extension MalformedRequests: Sendable {}
