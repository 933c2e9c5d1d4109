import AsyncHTTPClient
import AutoMobileHTTP
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Sends a recorded request again, to where an operator allowed it.
struct Resender: Sendable {
  struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: HTTPBody
    var durationMs: Double
    /// Headers that were redacted, and so not sent.
    var withheld: [String]
  }

  static let seconds: Int64 = 20
  static let bodyBytes = 1 << 20

  let targets: ResendTargets
  let logger: Logger
  var find: @Sendable (String) -> [SocketAddressBytes] = SocketAddressBytes.find

  /// - Throws: ``ResendTargets/Refusal`` when it is not sent; what the network says when no answer comes.
  func send(_ exchange: HTTPExchange, by author: String) async throws -> Answer {
    let recorded = RepeatableRequest(exchange)
    let host = try targets.host(of: recorded.url)
    guard !exchange.isWebSocket else { throw ResendTargets.Refusal(reason: "a WebSocket cannot be sent again") }
    guard recorded.obstacles.isEmpty else {
      throw ResendTargets.Refusal(reason: recorded.obstacles.joined(separator: "; "))
    }
    let address = try ResendTargets.address(try await offLoop { [find] in find(host) }, of: host)
    logger.notice(
      "sending a recorded request again",
      metadata: ["method": "\(recorded.method)", "host": "\(host)", "by": "\(author)"])
    return try await send(recorded, to: address, of: host)
  }

  private func send(_ recorded: RepeatableRequest, to address: String, of host: String) async throws -> Answer {
    var configuration = HTTPClient.Configuration()
    // The address that was looked at, not one that the name has by now.
    configuration.dnsOverride = [host: address]
    // Where an answer leads, nobody has allowed.
    configuration.redirectConfiguration = .disallow
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(Self.seconds))
    configuration.decompression = .disabled
    let client = HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup, configuration: configuration)
    do {
      let answer = try await ask(client, recorded)
      try await client.shutdown()
      return answer
    } catch {
      try? await client.shutdown()
      throw error
    }
  }

  private func ask(_ client: HTTPClient, _ recorded: RepeatableRequest) async throws -> Answer {
    var request = HTTPClientRequest(url: recorded.url)
    request.method = HTTPMethod(rawValue: recorded.method)
    for header in recorded.headers where header.name.lowercased() != "accept-encoding" {
      request.headers.add(name: header.name, value: header.value)
    }
    if let body = recorded.body { request.body = .bytes(ByteBuffer(data: body)) }
    let begun = ContinuousClock.now
    let response = try await client.execute(request, timeout: .seconds(Self.seconds))
    var bytes = Data()
    var size = 0
    for try await part in response.body {
      size += part.readableBytes
      bytes.append(contentsOf: part.readableBytesView.prefix(max(Self.bodyBytes - bytes.count, 0)))
      // What is not kept is not waited for either.
      if size > Self.bodyBytes { break }
    }
    let took = ContinuousClock.now - begun
    return Answer(
      status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
      body: HTTPBody(bytes: bytes, size: size),
      durationMs: Double(took.components.seconds) * 1000 + Double(took.components.attoseconds) / 1e15,
      withheld: recorded.redacted)
  }
}
