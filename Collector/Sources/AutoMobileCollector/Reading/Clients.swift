import NIOConcurrencyHelpers
import NIOCore
import NIOHTTPTypes

/// Everybody who is connected, so that a request's work can end with its connection.
final class Clients: Sendable {
  private struct Client {
    let channel: any Channel
    let presence: ClientPresence
  }

  private let clients = NIOLockedValueBox<[ObjectIdentifier: Client]>([:])

  /// Somebody who is not known, or not any more, has gone.
  func presence(on channel: any Channel) -> ClientPresence {
    if let known = clients.withLockedValue({ $0[ObjectIdentifier(channel)]?.presence }) { return known }
    let gone = ClientPresence()
    gone.leave()
    return gone
  }

  /// Goes into the pipeline of each connection.
  func watch() -> some ChannelInboundHandler & RemovableChannelHandler { ClientWatch(self) }

  /// Ends all connections, whatever is on its way over them.
  func closeAll() {
    for client in clients.withLockedValue({ Array($0.values) }) {
      client.presence.leave()
      client.channel.close(promise: nil)
    }
  }

  fileprivate func add(_ channel: any Channel, _ presence: ClientPresence) {
    clients.withLockedValue { $0[ObjectIdentifier(channel)] = Client(channel: channel, presence: presence) }
  }

  fileprivate func remove(_ channel: any Channel) {
    clients.withLockedValue { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
  }
}

/// Notices when a client has gone: its connection is closed, or it will send nothing more. Who closes a socket looks
/// like the latter until something is written to it, so both mean the same here (as in Go's `net/http`).
private final class ClientWatch: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let clients: Clients
  private let presence = ClientPresence()

  init(_ clients: Clients) { self.clients = clients }

  func handlerAdded(context: ChannelHandlerContext) { clients.add(context.channel, presence) }

  func handlerRemoved(context: ChannelHandlerContext) { leave(context) }

  func channelInactive(context: ChannelHandlerContext) {
    leave(context)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { presence.leave() }
    context.fireUserInboundEventTriggered(event)
  }

  private func leave(_ context: ChannelHandlerContext) {
    presence.leave()
    clients.remove(context.channel)
  }
}

@available(*, unavailable)
extension ClientWatch: Sendable {}
