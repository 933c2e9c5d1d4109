#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Which requests are seen, by which way, and how often.
@Suite struct RegistrationTests {
  private func get(_ url: URL, _ session: URLSession) async throws {
    _ = try await session.data(from: url)
  }

  @Test func `the shared session is covered while the interception is active, and not after`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      try await get(server.url("/status/201"), .shared)
      NetworkInterception.shared.activate()
      NetworkInterception.shared.activate()
      #expect(NetworkInterception.shared.isActive)
      try await get(server.url("/status/202"), .shared)
      #expect(await log.first(1).map(\.statusCode) == [202])
      NetworkInterception.shared.deactivate()
      NetworkInterception.shared.deactivate()
      try await get(server.url("/status/203"), .shared)
      NetworkInterception.shared.activate()
      try await get(server.url("/status/206"), .shared)
      NetworkInterception.shared.deactivate()
      #expect(await log.first(2).map(\.statusCode) == [202, 206])
    }
  }

  @Test func `a request that several mechanisms see is recorded once`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    NetworkInterception.shared.activate()
    defer { NetworkInterception.shared.deactivate() }
    try await log.observing {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [
        try #require(NetworkInterception.shared.protocolClass() as? URLProtocol.Type), RegisteredURLProtocol.self,
      ]
      NetworkInterception.shared.register(in: configuration)
      NetworkInterception.shared.register(in: configuration)
      #expect(configuration.protocolClasses?.count == 1)
      let host = HostDelegate(Scenario(name: "", path: ""))
      let session = URLSession(
        configuration: configuration, delegate: AutoMobileSessionDelegate(forwardingTo: host), delegateQueue: nil)
      session.dataTask(with: server.url("/status/201")).resume()
      #expect(await host.end.value.status == 201)
      session.finishTasksAndInvalidate()
      // Whoever was second would have told by the end of a second request.
      try await get(server.url("/status/202"), .shared)
      #expect(await log.first(2).map(\.statusCode) == [201, 202])
    }
  }

  @Test func `the SDK's own requests are never seen`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let log = ExchangeLog()
    NetworkInterception.shared.activate()
    defer { NetworkInterception.shared.deactivate() }
    // Somebody who takes whatever comes, for all sessions.
    _ = URLProtocol.registerClass(AutoMobileURLProtocol.self)
    defer { URLProtocol.unregisterClass(AutoMobileURLProtocol.self) }
    await log.observing {
      let transport = URLSessionTransport()
      let answer = await withCheckedContinuation { continuation in
        transport.send(HTTPRequest(url: server.url, body: Data("batch".utf8))) { continuation.resume(returning: $0) }
      }
      #expect(answer.status == 200 && server.requests.count == 1)
      _ = try? await get(server.url, .shared)
      #expect(await log.first(1).map(\.method) == ["GET"])
    }
  }

  @Test func `nobody who listens, no interception`() throws {
    let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    #expect(!AutoMobileURLProtocol.canInit(with: request))
    let log = ExchangeLog()
    NetworkInterception.shared.add(log)
    defer { NetworkInterception.shared.remove(log) }
    #expect(AutoMobileURLProtocol.canInit(with: request) && !RegisteredURLProtocol.canInit(with: request))
    #if canImport(Darwin)
    #expect(!AutoMobileURLProtocol.canInit(with: InterceptionMark.marked(request)))
    #endif
    for other in ["ws://127.0.0.1/", "file:///etc/passwd", "data:text/plain,hello", "ftp://127.0.0.1/", "about:blank"] {
      #expect(!AutoMobileURLProtocol.canInit(with: URLRequest(url: try #require(URL(string: other)))))
    }
  }

  @Test func `a session that cannot be intercepted is recorded by its delegate's forwarder`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let scenario = Scenario(name: "", path: "")
      let host = HostDelegate(scenario)
      let session = URLSession(
        configuration: .ephemeral, delegate: AutoMobileSessionDelegate(forwardingTo: host), delegateQueue: nil)
      session.dataTask(with: server.url("/redirect/2")).resume()
      let seen = await host.end.value
      session.finishTasksAndInvalidate()
      #expect(
        seen.events.map { $0.split(separator: " ").first } == ["redirect", "redirect", "response", "data", "complete"])
      let exchange = try #require(await log.first(1).first)
      #expect(exchange.statusCode == 200 && exchange.source == "delegate" && exchange.redirects.count == 2)
      #expect(exchange.responseBody?.size == seen.body.count && exchange.responseBody?.bytes == nil)
    }
  }

  @Test func `sessions with the same configuration share one forwarding session`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    let before = ForwardingSessions.shared.count
    try await log.observing {
      let storage = HTTPCookieStorage.shared
      for number in 0..<20 {
        let configuration = URLSessionConfiguration.default
        configuration.httpCookieStorage = storage
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 61
        NetworkInterception.shared.register(in: configuration)
        let session = URLSession(configuration: configuration)
        try await get(server.url("/status/\(200 + number % 2)"), session)
        session.finishTasksAndInvalidate()
      }
    }
    #expect(ForwardingSessions.shared.count <= before + 1)
  }

  @Test func `however many configurations there are, sessions and classes are bounded`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      for number in 0..<40 {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 100 + TimeInterval(number)
        NetworkInterception.shared.register(in: configuration)
        let session = URLSession(configuration: configuration)
        try await get(server.url("/status/200"), session)
        session.finishTasksAndInvalidate()
      }
      #expect(await log.first(40).count == 40)
    }
    #expect(ForwardingSessions.shared.count <= ForwardingSessions.mostSessions)
  }

  @Test func `a configuration has a class that stands for it, until there are too many`() {
    let classes = ConfiguredClasses()
    func configuration(_ timeout: TimeInterval) -> URLSessionConfiguration {
      let configuration = URLSessionConfiguration.default
      configuration.httpCookieStorage = .shared
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.timeoutIntervalForRequest = timeout
      return configuration
    }
    let first = classes.protocolClass(for: configuration(1))
    #expect(first == classes.protocolClass(for: configuration(1)))
    #expect(first != classes.protocolClass(for: configuration(2)))
    #expect(classes.configuration(of: first)?.timeoutIntervalForRequest == 1)
    #expect(classes.configuration(of: AutoMobileURLProtocol.self) == nil)
    for number in 0..<100 { _ = classes.protocolClass(for: configuration(TimeInterval(number))) }
    #expect(classes.protocolClass(for: configuration(1)) == first)
    #expect(classes.protocolClass(for: configuration(99)) == AutoMobileURLProtocol.self)
  }
}
#endif
