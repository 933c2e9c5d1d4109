import AsyncHTTPClient
import AutoMobileTLS
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// Signed requests to one bucket, repeated while its store does not answer.
///
/// The rules of egress, which keep alerts and forwarders away from what is not public, do not hold here: whoever starts the
/// collector names the store, and nobody who talks to the collector can. Redirects are not followed all the same.
struct S3Client: Sendable {
  let settings: S3Settings
  let keys: S3Keys
  let tls: ClientTLS
  var clock: @Sendable () -> Date = { Date() }
  var patience = Patience()

  init(settings: S3Settings, keys: S3Keys) {
    (self.settings, self.keys) = (settings, keys)
    tls = ClientTLS(settings.tls)
  }

  init(settings: S3Settings, credentials: S3Credentials) { self.init(settings: settings, keys: S3Keys(credentials)) }

  /// How long one waits, in seconds.
  struct Patience: Sendable {
    /// Until somebody answers the call; for one whole exchange; of all attempts.
    var connect = 5.0
    var exchange = 60.0
    var attempts = 4
    /// For whom somebody waits: of one whole exchange, and after how long no other is begun.
    var reading = 10.0
    /// Before the second attempt; doubled with each, and spread.
    var pause = 0.2
  }

  struct Request: Sendable {
    var method: HTTPMethod
    /// Without the settings' prefix; nil: the bucket itself.
    var key: String?
    var query: [(String, String)] = []
    var headers: [(String, String)] = []
    var body = ByteBuffer()
    /// Of the answer, in bytes.
    var most = 4 << 20

    var isReading: Bool { method == .GET || method == .HEAD }
  }

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer
    /// Of `ETag`, without quotes.
    var tag: String? { headers.first(name: "ETag").map { $0.filter { $0 != "\"" } } }
    /// What an error calls itself.
    var code: String? { S3Document(body.readableBytesView).first("Code") }
  }

  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.proxy = nil
    configuration.decompression = .disabled
    configuration.httpVersion = .http1Only
    configuration.timeout = .init(connect: .seconds(5), read: .seconds(30))
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
    return HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup, configuration: configuration)
  }()

  /// Sends it; again, when the store does not answer or is busy. So it must be one that may come twice.
  ///
  /// - Returns: an answer that is neither an error of the server's nor one of the signature.
  /// - Throws: ``BlobError``: `unavailable` or `refused`; `CancellationError`.
  func send(_ request: Request) async throws -> Answer {
    var problem = BlobError(.unavailable, "\(settings.mark) was not asked")
    let begun = ContinuousClock.now
    for attempt in 0..<patience.attempts {
      if request.isReading, ContinuousClock.now - begun > .seconds(patience.reading) { break }
      if attempt > 0 {
        let pause = patience.pause * Double(1 << (attempt - 1))
        try await Task.sleep(for: .seconds(pause * Double.random(in: 0.5...1.5)))
      }
      do {
        let answer = try await answer(to: request)
        guard let refusal = S3Refusal.error(answer, to: self) else { return answer }
        guard refusal.kind == .unavailable else { throw refusal }
        problem = refusal
      } catch let error as BlobError {
        throw error
      } catch is CancellationError {
        throw CancellationError()
      } catch let error as TLSFileError {
        throw BlobError(.refused, "\(settings.mark): \(error)")
      } catch {
        if let words = await tlsFault(error) {
          // What its certificate is, it is a moment later. Who asks again later finds it renewed.
          throw BlobError(
            .unavailable, "\(settings.mark) at \(settings.endpoint.absoluteString) is not asked: \(words)")
        }
        let hint = settings.endpoint.scheme == "https" ? TLSFault.hint(error, tls: tls) : ""
        problem = BlobError(
          .unavailable,
          "\(settings.mark) at \(settings.endpoint.absoluteString) does not answer (\(Self.words(error))): is it running, and is the endpoint right?\(hint)"
        )
      }
      try Task.checkCancellation()
    }
    throw problem
  }

  /// One that is refused for its key is sent once more, when there is another key by now.
  private func answer(to request: Request) async throws -> Answer {
    let key = keys.key()
    let answer = try await exchange(request, key)
    guard S3Refusal.isOfKey(answer), let other = keys.key(after: key) else { return answer }
    return try await exchange(request, other)
  }

  private func tlsFault(_ error: any Error) async -> String? {
    guard settings.endpoint.scheme == "https" else { return nil }
    return await TLSFault.words(error, host: server, port: settings.endpoint.port ?? 443, tls: tls)
  }

  private func exchange(_ request: Request, _ key: S3Credentials) async throws -> Answer {
    let signed = try sign(request, key)
    let seconds = request.isReading ? patience.reading : patience.exchange
    return try await Deadline.within(seconds) {
      let response = try await Self.client.execute(signed, timeout: .seconds(Int64(seconds) + 1))
      let body = try await response.body.collect(upTo: request.most)
      return Answer(status: Int(response.status.code), headers: response.headers, body: body)
    }
  }

  private func sign(_ request: Request, _ credentials: S3Credentials) throws -> HTTPClientRequest {
    let (host, path) = place(request.key)
    let time = S3Signature.time(clock())
    let hash = S3Signature.hash(request.body.readableBytesView)
    var headers = request.headers + [("host", host), ("x-amz-content-sha256", hash), ("x-amz-date", time)]
    if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
    let authorization = S3Signature(credentials: credentials, region: settings.region).authorization(
      .init(
        method: request.method.rawValue, path: path, query: request.query, headers: headers, bodyHash: hash), time: time
    )
    let query = request.query.isEmpty ? "" : "?" + S3Signature.query(request.query)
    var result = HTTPClientRequest(url: "\(settings.endpoint.scheme ?? "https")://\(host)\(path)\(query)")
    result.method = request.method
    result.tlsConfiguration = try tls.configuration()
    // The client makes `Host` out of the URL: the same.
    result.headers = HTTPHeaders(headers.filter { $0.0 != "host" } + [("Authorization", authorization)])
    if request.body.readableBytes > 0 || request.method == .PUT || request.method == .POST {
      result.body = .bytes(request.body)
    }
    return result
  }

  private func place(_ key: String?) -> (host: String, path: String) {
    let end = settings.endpoint
    let standard = end.scheme == "https" ? 443 : 80
    let port = end.port.map { $0 == standard ? "" : ":\($0)" } ?? ""
    let host = (server.contains(":") ? "[\(server)]" : server) + port
    let path = key.map { "/" + S3Signature.encoded(settings.key($0), keepingSlashes: true) }
    switch settings.style {
    case .path: return (host, "/\(settings.bucket)" + (path ?? ""))
    case .virtual: return (host, path ?? "/")
    }
  }

  /// Who is connected to; an IPv6 address without its brackets.
  private var server: String {
    let name = settings.endpoint.host(percentEncoded: true) ?? ""
    let bare = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
    return settings.style == .virtual ? "\(settings.bucket).\(bare)" : bare
  }

  /// What went wrong, without what stood in the request.
  private static func words(_ error: any Error) -> String {
    switch error {
    case EgressError.slow(let seconds): "not within \(Int(seconds)) seconds"
    case let error as HTTPClientError: "\(error)".replacing("HTTPClientError.", with: "")
    default: String("\(error)".prefix(200))
    }
  }
}
