#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way of Apple platforms, where only `URLProtocolClient` reaches the app's session: with a client that stands in for
/// Apple's loading system, which Linux does not have.
@Suite struct ClientHostTests {
  @Test func `redirects are handed to the app's session, and all hops stand in one exchange`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let system = LoadingSystem()
      system.load(URLRequest(url: server.url("/redirect/2")))
      #expect(await eventually { system.isOver })
      let events = system.seen.withLock { $0.events }
      #expect(events == ["redirected to /redirect/1/302", "redirected to /echo", "response 200", "finished"])
      let exchange = try #require(await log.first(1).first)
      #expect(exchange.redirects.map { URL(string: $0.location)?.path } == ["/redirect/1/302", "/echo"])
      #expect(exchange.statusCode == 200 && exchange.url.hasSuffix("/redirect/2") && log.exchanges.count == 1)
    }
  }

  @Test func `a redirect that the app does not want is the exchange's answer`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    try await log.observing {
      let system = LoadingSystem(followsRedirects: false)
      system.load(URLRequest(url: server.url("/redirect/2")))
      let exchange = try #require(await log.first(1).first)
      #expect(exchange.statusCode == 302 && exchange.redirects.isEmpty && exchange.error == nil)
    }
  }

  @Test func `a password given to the challenge reaches the session that was challenged`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let system = LoadingSystem { challenge in
        let credential = URLCredential(user: "user", password: "secret", persistence: .none)
        challenge.sender?.use(credential, for: challenge)
        // What comes later does not count, nor harm.
        challenge.sender?.cancel(challenge)
      }
      system.load(URLRequest(url: server.url("/basic")))
      #expect(await eventually { system.isOver })
      #expect(system.seen.withLock { $0.events.suffix(2) } == ["response 200", "finished"])
      #expect(system.seen.withLock { $0.body.suffix(7) } == Data("welcome".utf8))
      #expect(await log.first(1).first?.statusCode == 200)
    }
  }

  /// Pinning and digest: Linux's sessions neither ask for trust nor know digest, so the challenge is made here.
  @Test(arguments: ["NSURLAuthenticationMethodServerTrust", "NSURLAuthenticationMethodHTTPDigest"])
  func `whatever the app answers to a challenge is what the session hears`(_ method: String) async throws {
    let answers: [(@Sendable (URLAuthenticationChallenge) -> Void, URLSession.AuthChallengeDisposition)] = [
      ({ $0.sender?.cancel($0) }, .cancelAuthenticationChallenge),
      ({ $0.sender?.performDefaultHandling(for: $0) }, .performDefaultHandling),
      ({ $0.sender?.rejectProtectionSpaceAndContinue(with: $0) }, .rejectProtectionSpace),
      ({ $0.sender?.use(URLCredential(user: "u", password: "p", persistence: .none), for: $0) }, .useCredential),
      ({ $0.sender?.continueWithoutCredential(for: $0) }, .useCredential),
    ]
    for (answer, expected) in answers {
      let system = LoadingSystem(answer: answer)
      let request = URLRequest(url: try #require(URL(string: "https://127.0.0.1/")))
      let urlProtocol = AutoMobileURLProtocol(request: request, cachedResponse: nil, client: system)
      let host = ClientHost(urlProtocol, thread: .queue(DispatchQueue(label: "client")))
      let challenge = URLAuthenticationChallenge(
        protectionSpace: URLProtectionSpace(
          host: "127.0.0.1", port: 443, protocol: "https", realm: nil, authenticationMethod: method),
        proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
        sender: ChallengeRelay { _, _ in })
      let heard = await withCheckedContinuation { continuation in
        host.decide(on: challenge) { disposition, _ in continuation.resume(returning: disposition) }
      }
      #expect(heard == expected)
      #expect(system.seen.withLock { $0.events } == ["challenge \(method)"])
      withExtendedLifetime(urlProtocol) {}
    }
  }

  @Test func `a refused challenge ends the request, and is recorded as refused`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let system = LoadingSystem { $0.sender?.cancel($0) }
      system.load(URLRequest(url: server.url("/basic")))
      #expect(await eventually { system.isOver })
      #expect(system.seen.withLock { $0.events.last } == "failed \(NSURLErrorDomain) \(NSURLErrorCancelled)")
      #expect(await log.first(1).first?.error?.isCancellation == true)
    }
  }

  @Test func `nothing is told after the app's session has stopped the load`() async throws {
    let server = try await OddServer()
    let log = ExchangeLog()
    await log.observing {
      let system = LoadingSystem()
      system.load(URLRequest(url: server.url("/endless")))
      #expect(await eventually { system.seen.withLock { !$0.body.isEmpty } })
      system.stop()
      #expect(await log.first(1).first?.error?.isCancellation == true)
      let events = system.seen.withLock { $0.events }
      #expect(events == ["response 200"])
    }
  }

  @Test func `what Apple measures becomes timings and transport`() {
    struct Measured: TransactionMetrics {
      static let start = Date(timeIntervalSince1970: 1000)
      static func at(_ milliseconds: Double) -> Date { start.addingTimeInterval(milliseconds / 1000) }
      var domainLookupStartDate: Date? = at(1)
      var domainLookupEndDate: Date? = at(2)
      var connectStartDate: Date? = at(3)
      var secureConnectionStartDate: Date? = at(4)
      var secureConnectionEndDate: Date? = at(5)
      var connectEndDate: Date? = at(6)
      var requestStartDate: Date? = at(7)
      var requestEndDate: Date? = at(8)
      var responseStartDate: Date? = at(9)
      var responseEndDate: Date?
      var networkProtocolName: String? = "h2"
      var isReusedConnection = true
      var isProxyConnection = false
      var isFromCache = false
      var remoteAddress: String? = "127.0.0.1"
      var tlsVersion: String? = "TLS 1.3"
      var countOfRequestHeaderBytesSent: Int64 = 10
      var countOfRequestBodyBytesSent: Int64 = .max
      var countOfResponseHeaderBytesReceived: Int64 = 20
      var countOfResponseBodyBytesReceived: Int64 = 30
    }
    let timings = HTTPTimings(Measured(), since: Measured.start)
    let phases = [
      timings.domainLookupStart, timings.domainLookupEnd, timings.connectStart, timings.secureConnectionStart,
      timings.secureConnectionEnd, timings.connectEnd, timings.requestStart, timings.requestEnd, timings.responseStart,
    ]
    #expect(phases.map { Int(($0 ?? 0).rounded()) } == Array(1...9) && timings.responseEnd == nil)
    let transport = HTTPTransport(Measured())
    #expect(transport.protocolName == "h2" && transport.isReused == true && transport.tlsVersion == "TLS 1.3")
    #expect(transport.bytesSent == .max && transport.bytesReceived == 50)
  }
}
#endif
