import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Requests to one host at one address that was looked at.
final class EgressConnection: Sendable {
  let target: EgressTarget
  let address: EgressAddress
  private let limits: EgressLimits
  private let client: HTTPClient

  /// - Parameter address: whoever opens one has made sure that it is allowed.
  init(_ target: EgressTarget, address: EgressAddress, limits: EgressLimits, tls: TLSConfiguration? = nil) {
    self.target = target
    self.address = address
    self.limits = limits
    var configuration = HTTPClient.Configuration()
    // The address that was looked at, not one that the name has by now.
    configuration.dnsOverride = [target.host: address.text]
    // Where an answer leads, nobody has allowed; what the environment names, nobody has looked at.
    configuration.redirectConfiguration = .disallow
    configuration.proxy = nil
    // The whole exchange has its time in `send`; a second clock for the same would say the same in other words, or not.
    configuration.timeout = .init(connect: .milliseconds(Int64(limits.connectSeconds * 1000)))
    configuration.decompression = .disabled
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    if let tls { configuration.tlsConfiguration = tls }
    client = HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup, configuration: configuration)
  }

  /// Sends to the target's URL; headers are checked by the client, and no line break gets into one.
  ///
  /// - Throws: ``EgressError``, `CancellationError`.
  func send(_ method: String = "POST", headers: [(String, String)], body: [UInt8]) async throws -> EgressAnswer {
    var request = HTTPClientRequest(url: target.url)
    request.method = HTTPMethod(rawValue: method)
    request.headers = HTTPHeaders(headers)
    if !body.isEmpty { request.body = .bytes(ByteBuffer(bytes: body)) }
    do {
      return try await Deadline.within(limits.seconds) { [self, request] in try await exchange(request) }
    } catch let error as EgressError {
      throw error
    } catch let error as CancellationError {
      throw error
    } catch {
      throw EgressError.failed(Self.words(error))
    }
  }

  private func exchange(_ request: HTTPClientRequest) async throws -> EgressAnswer {
    let response = try await client.execute(request, timeout: .milliseconds(Int64(limits.seconds * 2000)))
    var body = ByteBuffer()
    var isWhole = true
    for try await var part in response.body {
      let room = limits.answerBytes - body.readableBytes
      if part.readableBytes > room {
        // What is not kept is not waited for either.
        if let kept = part.readSlice(length: max(room, 0)) { body.writeImmutableBuffer(kept) }
        isWhole = false
        break
      }
      body.writeBuffer(&part)
    }
    return EgressAnswer(status: Int(response.status.code), headers: response.headers, body: body, isWhole: isWhole)
  }

  func close() async { try? await client.shutdown() }

  /// What went wrong, in words that hold nothing of the URL but its host.
  private static func words(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError where error == .connectTimeout: "nobody answers there"
    case is HTTPClientError: "no answer: \(error)".replacing("HTTPClientError.", with: "")
    default: "the connection failed: \(String("\(error)".prefix(300)))"
    }
  }
}

/// What a receiver said.
struct EgressAnswer: Sendable {
  var status: Int
  var headers: HTTPHeaders
  /// At most ``EgressLimits/answerBytes``.
  var body: ByteBuffer
  /// Whether there was no more.
  var isWhole: Bool

  var isGood: Bool { (200..<300).contains(status) }

  /// Seconds, from `Retry-After` in either of its forms; at most a day.
  func retryAfter(now: Date = Date()) -> Double? {
    guard let text = headers.first(name: "Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
    if let seconds = Double(text), seconds.isFinite { return min(max(seconds, 0), 86_400) }
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text).map { min(max($0.timeIntervalSince(now), 0), 86_400) }
  }
}

/// Somebody who answers a byte at a time is not listened to for ever.
enum Deadline {
  /// - Throws: ``EgressError/slow(seconds:)``; what `body` throws.
  static func within<Result: Sendable>(
    _ seconds: Double, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: .milliseconds(Int64(seconds * 1000)))
        throw EgressError.slow(seconds: seconds)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw EgressError.slow(seconds: seconds) }
      return first
    }
  }
}
