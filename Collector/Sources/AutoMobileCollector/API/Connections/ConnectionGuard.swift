import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps one connection from being held by a client that is too slow, in either direction.
///
/// A connection must say something soon; a request must be complete in time, counted from its first byte; a reader must
/// take something in time; and when a request is answered before its body has been read (it is too large, or nobody may
/// send it), the connection ends soon after the answer, instead of swallowing the rest.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let silentTime: TimeAmount
  private let requestTime: TimeAmount
  private let uploadTime: TimeAmount
  private let stallTime: TimeAmount
  /// Requests that may be sent before their answers are there. No browser sends any; hundreds of them keep a connection
  /// busy long after its client has gone.
  private static let mostAhead = 16
  private let lingerTime = TimeAmount.seconds(2)
  private let places: ConnectionPlaces
  private let onSlowReader: @Sendable () -> Void
  private var silenceTimer: Scheduled<Void>?
  private var requestTimer: Scheduled<Void>?
  private var stallTimer: Scheduled<Void>?
  private var lingerTimer: Scheduled<Void>?
  /// From a request's first byte to its last.
  private var isRequestOpen = false
  /// Its head is whole.
  private var hasHead = false
  /// Requests that came whole and wait for their answers.
  private var waiting = 0
  private var wasAnsweredEarly = false

  init(limits: CollectorLimits, places: ConnectionPlaces, onSlowReader: @escaping @Sendable () -> Void) {
    silentTime = .milliseconds(Int64(limits.silentSeconds * 1000))
    requestTime = .milliseconds(Int64(limits.requestSeconds * 1000))
    uploadTime = .milliseconds(Int64(limits.symbolUploadSeconds * 1000))
    stallTime = .milliseconds(Int64(limits.stalledReaderSeconds * 1000))
    self.places = places
    self.onSlowReader = onSlowReader
  }

  func handlerAdded(context: ChannelHandlerContext) {
    places.take(context.channel)
    silenceTimer = close(context, in: silentTime)
    do {
      let arriving = ArrivingBytes { [self] in if !isRequestOpen { open(context) } }
      try context.pipeline.syncOperations.addHandler(arriving, position: .first)
    } catch {
      // Without it nobody would watch the time.
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if head.headerFields[.expect]?.lowercased() == "100-continue" {
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
      }
      // It can have come together with the one before it.
      if !isRequestOpen { open(context) }
      hasHead = true
      places.set(.asking, of: context.channel)
      // Symbols and sessions are large files, and a person waits for them.
      let path = head.path ?? ""
      if head.method == .post && (path.hasPrefix("/api/symbols") || path == "/api/import") {
        requestTimer?.cancel()
        requestTimer = close(context, in: uploadTime)
      }
    case .body: break
    case .end:
      isRequestOpen = false
      hasHead = false
      waiting += 1
      guard waiting <= Self.mostAhead else { return context.close(promise: nil) }
      requestTimer?.cancel()
      requestTimer = nil
    }
    context.fireChannelRead(data)
  }

  private func open(_ context: ChannelHandlerContext) {
    isRequestOpen = true
    silenceTimer?.cancel()
    requestTimer?.cancel()
    requestTimer = close(context, in: requestTime)
    if waiting == 0 { places.set(.waiting(since: .now()), of: context.channel) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where isRequestOpen && waiting == 0 && head.status.kind != .informational:
      wasAnsweredEarly = true
      head.headerFields[.connection] = "close"
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where wasAnsweredEarly:
      // Closing at once would reset the connection, and the answer with it, if the client is still sending.
      lingerTimer = close(context, in: lingerTime)
      context.write(data, promise: promise)
    case .end:
      waiting -= 1
      let written = promise ?? context.eventLoop.makePromise()
      // Not before the answer is out: whoever waits may lose the connection.
      written.futureResult.assumeIsolated().whenSuccess { [self, channel = context.channel] in
        if waiting == 0, !hasHead { places.set(.waiting(since: .now()), of: channel) }
      }
      context.write(data, promise: written)
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
    end(context)
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(context) }

  private func end(_ context: ChannelHandlerContext) {
    places.leave(context.channel)
    silenceTimer?.cancel()
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
