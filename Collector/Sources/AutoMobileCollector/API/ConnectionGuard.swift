import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps one connection from being held by a client that is too slow, in either direction.
///
/// A request must be complete in time; a reader must take something in time; and when a request is answered before its
/// body has been read (it is too large, or nobody may send it), the connection ends soon after the answer, instead of
/// swallowing the rest.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let requestTime: TimeAmount
  private let uploadTime: TimeAmount
  private let stallTime: TimeAmount
  private let lingerTime = TimeAmount.seconds(2)
  private let onSlowReader: @Sendable () -> Void
  private var requestTimer: Scheduled<Void>?
  private var stallTimer: Scheduled<Void>?
  private var lingerTimer: Scheduled<Void>?
  private var isRequestOpen = false
  private var wasAnsweredEarly = false

  init(limits: CollectorLimits, onSlowReader: @escaping @Sendable () -> Void) {
    requestTime = .milliseconds(Int64(limits.requestSeconds * 1000))
    uploadTime = .milliseconds(Int64(limits.symbolUploadSeconds * 1000))
    stallTime = .milliseconds(Int64(limits.stalledReaderSeconds * 1000))
    self.onSlowReader = onSlowReader
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if head.headerFields[.expect]?.lowercased() == "100-continue" {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
      isRequestOpen = true
      requestTimer?.cancel()
      // Symbols and sessions are large files, and a person waits for them.
      let path = head.path ?? ""
      let isUpload = head.method == .post && (path.hasPrefix("/api/symbols") || path == "/api/import")
      requestTimer = close(context, in: isUpload ? uploadTime : requestTime)
    case .body: break
    case .end:
      isRequestOpen = false
      requestTimer?.cancel()
      requestTimer = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where isRequestOpen && head.status.kind != .informational:
      wasAnsweredEarly = true
      head.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where wasAnsweredEarly:
      // Closing at once would reset the connection, and the answer with it, if the client is still sending.
      lingerTimer = close(context, in: lingerTime)
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stallTimer?.cancel()
    stallTimer = nil
    if !context.channel.isWritable {
      stallTimer = close(context, in: stallTime, then: onSlowReader)
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  private func cancel() {
    requestTimer?.cancel()
    stallTimer?.cancel()
    lingerTimer?.cancel()
  }

  private func close(
    _ context: ChannelHandlerContext, in time: TimeAmount, then action: @escaping @Sendable () -> Void = {}
  ) -> Scheduled<Void> {
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: time) {
      action()
      channel.close(promise: nil)
    }
  }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
