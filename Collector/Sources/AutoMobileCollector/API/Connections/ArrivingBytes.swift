import NIOCore

/// Says that bytes came, before the HTTP decoder has made anything of them.
///
/// The decoder speaks when a head is whole. Who watches a connection's time has to know of the first byte. It is told by a
/// call and not by an event, which would go through the whole pipeline with every piece of a body.
final class ArrivingBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private var listener: (() -> Void)?

  /// - Parameter listener: called on the connection's event loop, ahead of the bytes themselves.
  init(_ listener: @escaping () -> Void) { self.listener = listener }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    listener?()
    context.fireChannelRead(data)
  }

  /// It may hold who holds the pipeline.
  func handlerRemoved(context: ChannelHandlerContext) { listener = nil }
}

@available(*, unavailable)
extension ArrivingBytes: Sendable {}
