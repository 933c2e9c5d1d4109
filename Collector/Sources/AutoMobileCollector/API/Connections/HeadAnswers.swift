import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps the body of an answer to `HEAD` from being sent.
///
/// The head is that of the answer to `GET`, with its length. A body behind it would be taken for the beginning of the
/// next answer (RFC 9110, section 9.3.2).
final class HeadAnswers: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Of each request that waits for its answer, whether it is a `HEAD`.
  private var waiting = CircularBuffer<Bool>()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { waiting.append(head.method == .head) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard waiting.first == true else {
      if case .end = unwrapOutboundIn(data) { _ = waiting.popFirst() }
      return context.write(data, promise: promise)
    }
    switch unwrapOutboundIn(data) {
    case .head: context.write(data, promise: promise)
    case .body: promise?.succeed()
    case .end:
      waiting.removeFirst()
      // Not the end itself: of an answer without a length, the encoder would write the last chunk. Nothing is written,
      // and the promise is kept when the head is out.
      context.write(wrapOutboundOut(.body(ByteBuffer())), promise: promise)
    }
  }
}

@available(*, unavailable)
extension HeadAnswers: Sendable {}
