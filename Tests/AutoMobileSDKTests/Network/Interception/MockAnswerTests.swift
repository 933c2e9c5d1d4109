#if os(macOS) || os(Linux)
import AutoMobileSupport
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Answers in the network's place, as the protocol gives them.
@Suite struct MockAnswerTests {
  private final class Responder: MockResponding {
    let needsBody: Bool
    private let give: @Sendable (URLRequest, Data?) -> MockAnswer?
    let bodies = Locked<[Data?]>([])

    init(needsBody: Bool = true, _ give: @escaping @Sendable (URLRequest, Data?) -> MockAnswer?) {
      self.needsBody = needsBody
      self.give = give
    }

    func answer(_ request: URLRequest, body: Data?) -> MockAnswer? {
      bodies.withLock { $0.append(body) }
      return give(request, body)
    }
  }

  private func run(
    _ scenario: Scenario, _ style: Scenario.Style = .delegate, at server: OddServer, _ responder: Responder
  ) async throws -> (Transcript, HTTPExchange) {
    let log = ExchangeLog()
    NetworkInterception.shared.mockResponder = responder
    defer { NetworkInterception.shared.mockResponder = nil }
    return try await log.observing {
      let configuration = URLSessionConfiguration.ephemeral
      NetworkInterception.shared.register(in: configuration)
      let seen = await HostClient.run(scenario, style, at: server.url, configuration)
      return (seen, try #require(await log.first(1).first))
    }
  }

  @Test(arguments: Scenario.Style.allCases)
  func `a mock response is delivered and marked`(_ style: Scenario.Style) async throws {
    let server = try await OddServer()
    let (seen, exchange) = try await run(
      Scenario(name: "", path: "/nothing/here", method: "POST", body: Data("sent".utf8)), style, at: server,
      Responder { _, body in
        MockAnswer(
          rule: "teapot", delay: 0.01,
          outcome: .response(
            status: 418, headers: ["Content-Type": "text/plain"], body: (body ?? Data()) + Data("!".utf8)))
      })
    #expect(seen.status == 418 && seen.body == Data("sent!".utf8) && seen.headers?["Content-Type"] == "text/plain")
    #expect(exchange.mockRule == "teapot" && exchange.statusCode == 418)
    #expect(exchange.requestBody?.text == "sent" && exchange.responseBody?.text == "sent!")
  }

  @Test(arguments: Scenario.Style.allCases)
  func `a mock failure is the error that was asked for`(_ style: Scenario.Style) async throws {
    let server = try await OddServer()
    let (seen, exchange) = try await run(
      Scenario(name: "", path: "/echo"), style, at: server,
      Responder { _, _ in MockAnswer(rule: "offline", outcome: .failure(.notConnectedToInternet)) })
    #expect(seen.errorDomain == NSURLErrorDomain && seen.errorCode == NSURLErrorNotConnectedToInternet)
    #expect(exchange.mockRule == "offline" && exchange.error?.code == NSURLErrorNotConnectedToInternet)
  }

  @Test func `what a rule lets through goes to the network, and is marked`() async throws {
    let server = try await OddServer()
    let (seen, exchange) = try await run(
      Scenario(name: "", path: "/status/201"), at: server,
      Responder { _, _ in MockAnswer(rule: "slow", delay: 0.05, outcome: .passthrough) })
    #expect(seen.status == 201 && seen.body == Data("status 201".utf8))
    #expect(exchange.mockRule == "slow" && exchange.statusCode == 201)
  }

  @Test func `a request that no rule matches goes to the network`() async throws {
    let server = try await OddServer()
    let (seen, exchange) = try await run(Scenario(name: "", path: "/status/201"), at: server, Responder { _, _ in nil })
    #expect(seen.status == 201 && exchange.mockRule == nil)
  }

  @Test func `a mock can be cancelled while it waits`() async throws {
    let server = try await OddServer()
    let (seen, exchange) = try await run(
      Scenario(name: "", path: "/echo", cancel: .atOnce), at: server,
      Responder { _, _ in MockAnswer(rule: "late", delay: 3600, outcome: .failure(.timedOut)) })
    #expect(seen.errorCode == NSURLErrorCancelled && exchange.error?.isCancellation == true)
  }

  @Test func `a responder sees bodies that it needs, up to a limit`() async throws {
    let server = try await OddServer()
    let long = Data(count: NetworkInterception.longestBodyForMocks + 1)
    for (upload, expected) in [
      (Scenario.Upload.data(Data("a".utf8)), Data("a".utf8)), (.file(Data("b".utf8)), Data("b".utf8)),
      (.data(long), nil),
    ] as [(Scenario.Upload, Data?)] {
      let responder = Responder { _, _ in nil }
      _ = try await run(Scenario(name: "", path: "/sink", method: "PUT", upload: upload), at: server, responder)
      #expect(responder.bodies.withLock { $0 } == [expected])
    }
    let modest = Responder(needsBody: false) { _, _ in nil }
    _ = try await run(Scenario(name: "", path: "/sink", method: "PUT", body: Data("a".utf8)), at: server, modest)
    #expect(modest.bodies.withLock { $0 } == [nil])
  }
}
#endif
