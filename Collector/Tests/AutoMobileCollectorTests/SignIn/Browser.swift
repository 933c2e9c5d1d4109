import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

/// What a browser does with the viewer: keeps cookies, and says where a request comes from.
final class Browser: Sendable {
  static let operatorKey = [("Authorization", "Bearer operator-secret")]

  let collector: RunningCollector
  private let kept = NIOLockedValueBox<[String: String]>([:])

  init(_ collector: RunningCollector) { self.collector = collector }

  /// A collector that asks for keys.
  static func with(
    _ adjust: (inout CollectorOptions) -> Void = { _ in },
    _ body: @Sendable (RunningCollector, Browser) async throws -> Void
  ) async throws {
    try await RunningCollector.with { options in
      options.ingestKeys = ["started-with-1"]
      options.operatorKeys = ["operator-secret"]
      adjust(&options)
    } _: { collector in
      try await body(collector, Browser(collector))
    }
  }

  var cookies: [String: String] {
    get { kept.withLockedValue { $0 } }
    set { kept.withLockedValue { $0 = newValue } }
  }

  private var cookieHeader: [(String, String)] {
    cookies.isEmpty ? [] : [("Cookie", cookies.map { "\($0)=\($1)" }.joined(separator: "; "))]
  }

  /// From the viewer's own page.
  func send(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [(String, String)] = []
  ) async throws -> RunningCollector.Answer {
    try await bare(
      method, path, body,
      headers: [("Sec-Fetch-Site", "same-origin"), ("Origin", collector.url), ("X-AutoMobile-Viewer", "1")] + headers)
  }

  /// With the cookies, and nothing else that nobody named.
  func bare(
    _ method: HTTPMethod, _ path: String, _ body: String? = nil, headers: [(String, String)] = []
  ) async throws -> RunningCollector.Answer {
    let type = body.map { _ in [("Content-Type", "application/json")] } ?? []
    let answer = try await collector.send(
      method, path, headers: cookieHeader + type + headers, body: body.map { ByteBuffer(string: $0) })
    for line in answer.headers["Set-Cookie"] {
      let pair = line.split(separator: ";")[0].split(separator: "=", maxSplits: 1).map(String.init)
      cookies[pair[0]] = line.contains("Max-Age=0") ? nil : pair.last
    }
    return answer
  }

  /// The token of a new link.
  static func token(_ collector: RunningCollector, _ body: String) async throws -> String {
    let made = try await collector.send(
      .POST, "/api/sign-in/links", headers: operatorKey + [("Content-Type", "application/json")],
      body: ByteBuffer(string: body))
    let path = try #require(try made.json()["path"].string, "\(made.text)")
    #expect(path.hasPrefix("/sign-in#token="))
    return String(path.dropFirst("/sign-in#token=".count))
  }

  @discardableResult
  func signIn(_ token: String) async throws -> RunningCollector.Answer {
    try await send(.POST, "/api/sign-in", "{\"token\":\"\(token)\"}")
  }

  /// Signs in with a new link.
  func signIn(as role: String, project: String? = nil, name: String = "Mira") async throws {
    let project = project.map { ",\"project\":\"\($0)\"" } ?? ""
    let token = try await Self.token(collector, "{\"role\":\"\(role)\",\"name\":\"\(name)\"\(project)}")
    #expect(try await signIn(token).status == 200)
  }
}
