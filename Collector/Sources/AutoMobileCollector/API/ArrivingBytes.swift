import NIOCore

/// Says that bytes came, before the HTTP decoder has made anything of them.
///
/// The decoder speaks when a head is whole. Who watches a connection's time has to know of the first byte.
final class ArrivingBytes: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Goes ahead of the bytes themselves.
  struct Event: Sendable {}

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireUserInboundEventTriggered(Event())
    context.fireChannelRead(data)
  }
}
