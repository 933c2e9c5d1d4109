import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

@testable import AutoMobileClickHouse

/// Answers HTTP as it is told to, whatever is asked: on a socket, byte by byte.
final class LyingServer: Sendable {
  enum Act: Sendable {
    case send([UInt8])
    /// The same again and again, until the other side has had enough.
    case forever([UInt8])
    case wait(Duration)
    case close
  }

  private let channel: any Channel
  let asked = NIOLockedValueBox<[String]>([])
  var host: ClickHouseAddress.Host { ClickHouseAddress.Host("127.0.0.1", channel.localAddress?.port ?? 0) }
  var requests: Int { asked.withLockedValue { $0.count } }

  /// - Parameter acts: what is done when a request has come as a whole, by its number.
  init(_ acts: @escaping @Sendable (Int) -> [Act]) async throws {
    let asked = asked
    channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .childChannelOption(.allowRemoteHalfClosure, value: false)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Handler(asked, acts)) }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  convenience init(_ text: String, thenClose: Bool = true) async throws {
    try await self.init { _ in [.send(Array(text.utf8))] + (thenClose ? [.close] : []) }
  }

  func stop() async throws { try await channel.close() }

  func with(
    limit: Int = 1 << 20, timeout: Duration = .seconds(5), compressed: Bool = false,
    _ body: (ClickHouseClient) async throws -> Void
  ) async throws {
    var address = ClickHouseAddress(hosts: [host], database: "default")
    address.password = "a password"
    address.timeout = timeout
    address.isCompressed = compressed
    var limits = ClickHouseClient.Limits()
    limits.answer = limit
    let client = ClickHouseClient(address, limits: limits)
    do {
      try await body(client)
    } catch {
      try await client.shutdown()
      try await stop()
      throw error
    }
    try await client.shutdown()
    try await stop()
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let asked: NIOLockedValueBox<[String]>
    private let acts: @Sendable (Int) -> [Act]
    private var received = ByteBuffer()

    init(_ asked: NIOLockedValueBox<[String]>, _ acts: @escaping @Sendable (Int) -> [Act]) {
      self.asked = asked
      self.acts = acts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      received.writeImmutableBuffer(unwrapInboundIn(data))
      let text = String(buffer: received)
      guard let head = text.range(of: "\r\n\r\n") else { return }
      let length =
        text[..<head.lowerBound].split(separator: "\r\n")
        .first { $0.lowercased().hasPrefix("content-length:") }.flatMap { Int($0.split(separator: " ").last ?? "") }
        ?? 0
      guard text.utf8.distance(from: head.upperBound, to: text.endIndex) >= length else { return }
      received.clear()
      let number = asked.withLockedValue { asked in
        asked.append(text)
        return asked.count - 1
      }
      perform(acts(number)[...], context)
    }

    private func perform(_ acts: ArraySlice<Act>, _ context: ChannelHandlerContext) {
      guard let act = acts.first, context.channel.isActive else { return }
      let rest = acts.dropFirst()
      // In a later turn: a write that is done at once would call deeper and deeper.
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let loop = context.eventLoop
      switch act {
      case .close: context.close(promise: nil)
      case .wait(let duration):
        context.eventLoop.scheduleTask(in: TimeAmount(duration)) { bound.value.0.perform(rest, bound.value.1) }
      case .send(let bytes):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
          .whenSuccess { loop.execute { bound.value.0.perform(rest, bound.value.1) } }
      case .forever(let bytes):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
          .whenSuccess { loop.execute { bound.value.0.perform(acts, bound.value.1) } }
      }
    }
  }
}
