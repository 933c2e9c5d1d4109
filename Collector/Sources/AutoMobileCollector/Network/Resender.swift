import AsyncHTTPClient
import AutoMobileHTTP
import Foundation
import Logging
import NIOConcurrencyHelpers
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

  /// The longest that all of it may take.
  let seconds: Int64
  /// How many at one time.
  static let places = 4
  static let bodyBytes = 1 << 20

  let targets: ResendTargets
  let logger: Logger
  let find: @Sendable (String) -> [SocketAddressBytes]
  private let underWay = NIOLockedValueBox(0)

  init(
    targets: ResendTargets, logger: Logger, seconds: Int64 = 20,
    find: @escaping @Sendable (String) -> [SocketAddressBytes] = SocketAddressBytes.find
  ) {
    self.targets = targets
    self.logger = logger
    self.seconds = seconds
    self.find = find
  }

  /// - Throws: ``ResendTargets/Refusal`` when it is not sent; what the network says when no answer comes.
  func send(_ exchange: HTTPExchange, by author: String) async throws -> Answer {
    let recorded = RepeatableRequest(exchange)
    let host = try targets.host(of: recorded.url)
    guard !exchange.isWebSocket else { throw ResendTargets.Refusal(reason: "a WebSocket cannot be resent") }
    guard recorded.obstacles.isEmpty else {
      throw ResendTargets.Refusal(reason: recorded.obstacles.joined(separator: "; "))
    }
    let address = try ResendTargets.address(try await offLoop { [find] in find(host) }, of: host)
    let hasPlace = underWay.withLockedValue { count in
      guard count < Self.places else { return false }
      count += 1
      return true
    }
    guard hasPlace else {
      throw ResendTargets.Refusal(reason: "\(Self.places) requests are being resent right now: try again in a moment")
    }
    defer { underWay.withLockedValue { $0 -= 1 } }
    logger.notice(
      "sending a recorded request again",
      metadata: ["method": "\(recorded.method)", "host": "\(host)", "by": "\(author)"])
    return try await send(recorded, to: address, of: host)
  }

  private func send(_ recorded: RepeatableRequest, to address: String, of host: String) async throws -> Answer {
    var configuration = HTTPClient.Configuration()
    // The address that was looked at, not one that the name has by now.
    configuration.dnsOverride = [host: address]
    // It is looked for there as the URL has it.
    guard let url = Self.url(recorded.url, host: host) else {
      throw ResendTargets.Refusal(reason: "the host in its URL is written in an unusual form")
    }
    // Where an answer leads, nobody has allowed.
    configuration.redirectConfiguration = .disallow
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(seconds))
    configuration.decompression = .disabled
    let client = HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup, configuration: configuration)
    do {
      let answer = try await withDeadline { try await ask(client, recorded, url) }
      try await client.shutdown()
      return answer
    } catch {
      try? await client.shutdown()
      throw error
    }
  }

  /// A URL with the host that was looked at, however the app wrote it.
  private static func url(_ text: String, host: String) -> String? {
    var parts = URLComponents(string: text)
    parts?.host = host
    guard let url = parts?.string, URL(string: url)?.host == host else { return nil }
    return url
  }

  /// Somebody who answers a byte at a time is not listened to for ever.
  private func withDeadline<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws
    -> Result
  {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw HTTPClientError.deadlineExceeded
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw HTTPClientError.deadlineExceeded }
      return first
    }
  }

  private func ask(_ client: HTTPClient, _ recorded: RepeatableRequest, _ url: String) async throws -> Answer {
    var request = HTTPClientRequest(url: url)
    request.method = HTTPMethod(rawValue: recorded.method)
    for header in recorded.headers where header.name.lowercased() != "accept-encoding" {
      request.headers.add(name: header.name, value: header.value)
    }
    if let body = recorded.body { request.body = .bytes(ByteBuffer(data: body)) }
    let begun = ContinuousClock.now
    let response = try await client.execute(request, timeout: .seconds(seconds))
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
