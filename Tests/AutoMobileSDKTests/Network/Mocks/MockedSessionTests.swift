import AutoMobileHTTP
import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Rules of each kind, as an app meets them: through a real `URLSession`.
@Suite struct MockedSessionTests {
  /// A session whose requests are recorded, and can be answered by rules.
  private func session(_ harness: NetworkHarness) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    harness.network.register(in: configuration)
    return URLSession(configuration: configuration)
  }

  private func recorded(_ harness: NetworkHarness, _ count: Int = 1) async throws -> [HTTPExchange] {
    #expect(await eventually { (try? harness.exchanges().count) == count })
    return try harness.exchanges()
  }

  @Test func `a made-up response reaches the app, and is recorded as one`() async throws {
    let harness = try NetworkHarness()
    harness.network.setCaptureBodies(true)
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    harness.network.mocks.add(
      NetworkMockRule(
        id: "sold out", method: "POST", host: "*.invalid", path: .regex("^/orders/[0-9]+$"),
        headers: ["X-Version": "2.*"], bodyContains: "shoes",
        response: .response(status: 409, headers: ["X-Reason": "sold out"], body: Data(#"{"left":0}"#.utf8)),
        delayMs: 20))
    var request = URLRequest(url: try #require(URL(string: "https://api.invalid/orders/17?x=1")))
    request.httpMethod = "POST"
    request.httpBody = Data(#"{"item":"shoes"}"#.utf8)
    request.setValue("2.1", forHTTPHeaderField: "X-Version")
    let (body, response) = try await session.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    #expect(answer.statusCode == 409 && answer.value(forHTTPHeaderField: "X-Reason") == "sold out")
    #expect(body == Data(#"{"left":0}"#.utf8))
    let exchange = try #require(try await recorded(harness).first)
    #expect(exchange.mockRule == "sold out" && exchange.statusCode == 409)
    #expect(exchange.responseBody?.text == #"{"left":0}"# && exchange.requestBody?.text == #"{"item":"shoes"}"#)
  }

  @Test func `a made-up failure is the error that the app gets`() async throws {
    let harness = try NetworkHarness()
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    harness.network.mocks.add(NetworkMockRule(id: "offline", response: .failure(.notConnectedToInternet)))
    let url = try #require(URL(string: "https://api.invalid/"))
    let error = await #expect(throws: URLError.self) { _ = try await session.data(from: url) }
    #expect(error?.code == .notConnectedToInternet)
    let exchange = try #require(try await recorded(harness).first)
    #expect(exchange.mockRule == "offline" && exchange.error?.code == URLError.notConnectedToInternet.rawValue)
  }

  @Test func `passthrough and a count that is used up lead to the network`() async throws {
    let server = try HTTPTestServer(.json(200, "real"))
    defer { server.stop() }
    let harness = try NetworkHarness()
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    harness.network.mocks.add(NetworkMockRule(id: "real", path: .glob("/real"), response: .passthrough))
    harness.network.mocks.add(
      NetworkMockRule(id: "twice", response: .response(status: 200, body: Data("mocked".utf8)), count: 2))
    func get(_ path: String) async throws -> String {
      String(decoding: try await session.data(from: server.url.appendingPathComponent(path)).0, as: UTF8.self)
    }
    #expect(try await get("real") == "real")
    #expect(try await [get("a"), get("a"), get("a")] == ["mocked", "mocked", "real"])
    #expect(server.requests.map(\.path) == ["/real", "/a"])
    let rules = try await recorded(harness, 4).map(\.mockRule)
    #expect(rules == ["real", "twice", "twice", nil])
  }

  @Test func `a listed host gets a traceparent, which is recorded`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try NetworkHarness()
    harness.network.setTraceparentHosts(["127.0.0.*"])
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    _ = try await session.data(from: server.url)
    let sent = try #require(server.requests.first?.headers["traceparent"])
    #expect(try await recorded(harness).first?.traceparent == sent)
  }

  @Test func `while the SDK, or this part of it, is off no request gets a traceparent`() async throws {
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let harness = try NetworkHarness()
    defer { harness.network.reset() }
    let sdk = harness.sdk.sdk
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    func isTraced() async throws -> Bool {
      sdk.runtime?.presence.sync {}
      _ = try await session.data(from: server.url)
      return server.requests.last?.headers["traceparent"] != nil
    }
    harness.network.setTraceparentHosts(["127.0.0.*"])
    #expect(try await isTraced())
    sdk.setEnabled(false)
    #expect(try await !isTraced())
    harness.network.setTraceparentHosts(["127.0.0.1"])
    #expect(try await !isTraced())
    sdk.setEnabled(true)
    #expect(try await isTraced())
    sdk.setEnabled(false, for: .network)
    #expect(try await !isTraced())
    sdk.setEnabled(true, for: .network)
    #expect(try await isTraced())
    await withCheckedContinuation { done in sdk.setConsent(.denied) { done.resume() } }
    #expect(try await !isTraced())
  }

  @Test func `secrets of a real request are nowhere in what is recorded of it`() async throws {
    let server = try HTTPTestServer(
      .answer(
        200, headers: ["Set-Cookie": "sid=S3CRET", "Content-Type": "application/json"],
        body: Data(#"{"user":"visible","access_token":"S3CRET"}"#.utf8)))
    defer { server.stop() }
    let harness = try NetworkHarness()
    harness.network.setCaptureHeaders(true)
    harness.network.setCaptureBodies(true)
    let session = session(harness)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: "\(server.url)/login?q=visible&api_key=S3CRET")))
    request.httpMethod = "POST"
    request.setValue("Bearer S3CRET", forHTTPHeaderField: "Authorization")
    request.httpBody = Data(#"{"name":"visible","password":"S3CRET"}"#.utf8)
    let (body, _) = try await session.data(for: request)
    #expect(body.range(of: Data("S3CRET".utf8)) != nil, "the app gets what the server sent")
    #expect(server.requests.first?.body == request.httpBody)
    _ = try await recorded(harness)
    let payload = try #require(try harness.payloads().first)
    let text = String(decoding: payload, as: UTF8.self)
    #expect(!text.contains("S3CRET") && text.contains("visible") && text.contains("REDACTED"), "\(text)")
  }
}
