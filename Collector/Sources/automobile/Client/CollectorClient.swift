import AsyncHTTPClient
import AutoMobileCollector
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Talks to a running collector.
struct CollectorClient: Sendable {
  /// Without a slash at its end.
  let url: URL
  let key: String?
  /// For one answer; the tail has no end and so no limit.
  var timeout = TimeAmount.seconds(30)
  /// Where the address was found, when somebody set it.
  var origin: String?

  /// Lives as long as the process. A refused connection is an answer to a person who waits, not a reason to try on.
  static let http: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    configuration.timeout.connect = .seconds(5)
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  struct Answer {
    var status: Int
    var headers: HTTPHeaders
    var body: ByteBuffer
  }

  /// Answers of any status.
  ///
  /// - Throws: ``Failure`` of kind unavailable when nobody answers.
  func raw(_ path: String, _ query: [(String, String?)] = []) async throws -> Answer {
    try await raw(request(path, query), timeout: timeout)
  }

  /// - Throws: ``Failure`` of kind unavailable when nobody answers.
  func raw(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> Answer {
    do {
      let response = try await Self.http.execute(request, timeout: timeout)
      let body = try await response.body.collect(upTo: 256 << 20)
      return Answer(status: Int(response.status.code), headers: response.headers, body: body)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw unreachable(error)
    }
  }

  /// The body of a good answer.
  ///
  /// - Throws: ``Failure``, with what the collector said was wrong.
  func get(_ path: String, _ query: [(String, String?)] = []) async throws -> JSON {
    let answer = try await raw(path, query)
    guard answer.status == 200 else { throw refusal(status: answer.status, body: answer.body) }
    guard let json = try? JSONDecoder().decode(JSON.self, from: Data(answer.body.readableBytesView)) else {
      throw Failure(
        kind: .unavailable, message: "\(url.absoluteString) does not respond with JSON.",
        advice: "Is it an AutoMobile collector? Try: automobile doctor --url \(url.absoluteString)")
    }
    return json
  }

  func request(_ path: String, _ query: [(String, String?)]) -> HTTPClientRequest {
    var components = URLComponents()
    let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    components.queryItems = items.isEmpty ? nil : items
    // A plus sign in a query is a blank to many servers.
    let text = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
    var request = HTTPClientRequest(url: url.absoluteString + path + (text.map { "?" + $0 } ?? ""))
    request.headers.add(name: "Accept", value: "application/json")
    // Who it is: the collector notes down who changed something.
    request.headers.add(name: "X-AutoMobile-Author", value: Self.segment(NSUserName()))
    request.headers.add(
      name: "User-Agent", value: "automobile/\(Collector.version) (\(Printable.text(NSUserName())))")
    if let key { request.headers.add(name: "Authorization", value: "Bearer \(key)") }
    return request
  }

  func refusal(status: Int, body: ByteBuffer) -> Failure {
    let json = try? JSONDecoder().decode(JSON.self, from: Data(body.readableBytesView))
    let message = json?["error"]?["message"]?.string.map(Printable.text) ?? "The collector answered \(status)."
    switch status {
    case 401, 403:
      return Failure(
        kind: .unavailable, message: message,
        advice: "Give the collector's key with --key-file or in AUTOMOBILE_KEY, or save it with: automobile connect")
    default: return Failure(message: message, status: status)
    }
  }

  func unreachable(_ error: any Error) -> Failure {
    Failure(
      kind: .unavailable,
      message: "No collector at \(url.absoluteString)\(origin.map { " (\($0))" } ?? ""): \(Self.reason(error)).",
      advice: "Start one with: automobile serve. Or give another address with --url or AUTOMOBILE_URL.")
  }

  /// A connection's error in a few words.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
    case let error as NIOConnectionError:
      error.connectionErrors.first.map { reason($0.error) }
        ?? (error.dnsAError ?? error.dnsAAAAError).map { _ in "unknown host" } ?? "no connection"
    case let error as HTTPClientError: error.shortDescription
    default: Printable.text(String(describing: error))
    }
  }

  /// One segment of a path, whatever characters a session's name holds.
  static func segment(_ text: String) -> String {
    let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
