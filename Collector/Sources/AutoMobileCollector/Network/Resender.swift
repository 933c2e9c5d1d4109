import AutoMobileHTTP
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore

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
  let find: @Sendable (String) -> [EgressAddress]
  private let underWay = NIOLockedValueBox(0)

  init(
    targets: ResendTargets, logger: Logger, seconds: Int64 = 20,
    find: @escaping @Sendable (String) -> [EgressAddress] = EgressAddress.find
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

  private func send(
    _ recorded: RepeatableRequest, to address: EgressAddress, of host: String
  ) async throws -> Answer {
    let target: EgressTarget
    do {
      target = try EgressTarget(recorded.url, longest: 64 << 10)
    } catch {
      throw ResendTargets.Refusal(reason: "\(error)")
    }
    let connection = EgressConnection(
      target, address: address, limits: EgressLimits(seconds: Double(seconds), answerBytes: Self.bodyBytes))
    let headers = recorded.headers.filter { $0.name.lowercased() != "accept-encoding" }.map { ($0.name, $0.value) }
    let begun = ContinuousClock.now
    do {
      let answer = try await connection.send(
        recorded.method, headers: headers, body: recorded.body.map(Array.init) ?? [])
      await connection.close()
      let took = ContinuousClock.now - begun
      // Of a longer one it is known only that it is longer.
      let size = answer.body.readableBytes + (answer.isWhole ? 0 : 1)
      return Answer(
        status: answer.status, headers: answer.headers.map { ($0.name, $0.value) },
        body: HTTPBody(bytes: Data(buffer: answer.body), size: size),
        durationMs: Double(took.components.seconds) * 1000 + Double(took.components.attoseconds) / 1e15,
        withheld: recorded.redacted)
    } catch {
      await connection.close()
      throw error
    }
  }
}
