import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLSessionTransportTests {
  private let short = HTTPTimeouts(silence: 0.3, whole: 0.6)

  private func send(_ request: HTTPRequest, by transport: URLSessionTransport) async -> HTTPAnswer {
    // The closure holds the transport: with its last reference it would end what is under way.
    await withCheckedContinuation { continuation in
      transport.send(request) { answer in withExtendedLifetime(transport) { continuation.resume(returning: answer) } }
    }
  }

  private func answer(to script: ScriptedAnswer, timeouts: HTTPTimeouts = .remote) async throws -> HTTPAnswer {
    let server = try HTTPTestServer(script)
    defer { server.stop() }
    let transport = URLSessionTransport()
    let request = HTTPRequest(url: server.url, body: Data("hello".utf8), timeouts: timeouts)
    return await send(request, by: transport)
  }

  @Test func `a request arrives with its headers and body, and the answer comes back`() async throws {
    let server = try HTTPTestServer(.json(200, headers: ["X-One": "1"], #"{"ok":true}"#))
    defer { server.stop() }
    let transport = URLSessionTransport()
    let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let request = HTTPRequest(
      url: server.url.appendingPathComponent("sdk-events"), headers: ["Content-Type": "x/y"], body: body,
      timeouts: .remote)
    let answer = await send(request, by: transport)
    #expect(answer.status == 200)
    #expect(answer.failure == nil)
    #expect(answer[header: "x-ONE"] == "1")
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"ok":true}"#)
    let received = try #require(server.requests.first)
    #expect(received.method == "POST")
    #expect(received.path == "/sdk-events")
    #expect(received.headers["content-type"] == "x/y")
    #expect(received.body == body)
  }

  @Test func `a protocol class that watches the app's requests sees none of the SDK's own`() async throws {
    #expect(URLProtocol.registerClass(Watcher.self))
    defer { URLProtocol.unregisterClass(Watcher.self) }
    let server = try HTTPTestServer(.ok)
    defer { server.stop() }
    let answer = await send(HTTPRequest(url: server.url, timeouts: .remote), by: URLSessionTransport())
    #expect(answer.status == 200)
    #expect(!Watcher.seen.withLock { $0.contains(Int(server.port)) })
    #if canImport(Darwin)
    // And one that is put before all others knows them by their mark. (Foundation on Linux forgets marks.)
    let request = URLSessionTransport.urlRequest(HTTPRequest(url: server.url))
    #expect(URLProtocol.property(forKey: "dev.jasonpearson.automobile.sdk.handled", in: request) as? Bool == true)
    #endif
  }

  @Test func `nobody listening is a failure`() async throws {
    // Its port is nobody else's meanwhile.
    let server = try HTTPTestServer(isUp: false) { _ in .ok }
    defer { server.stop() }
    let transport = URLSessionTransport()
    let answer = await send(HTTPRequest(url: server.url, timeouts: .remote), by: transport)
    #expect(answer.status == 0)
    #expect(answer.failure?.isEmpty == false)
  }

  @Test func `a receiver that never answers is a failure after the time given`() async throws {
    #expect(try await answer(to: .silence, timeouts: short).status == 0)
  }

  @Test func `a receiver that stops in the middle of its answer is a failure`() async throws {
    let half = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhal".utf8)
    #expect(try await answer(to: .stall(after: half), timeouts: short).status == 0)
    #expect(try await answer(to: .bytes(half)).status == 0)
  }

  @Test func `closing without an answer, and garbage, are failures`() async throws {
    #expect(try await answer(to: .close).status == 0)
    #expect(try await answer(to: .bytes(Data([0xFF, 0, 0x80, 0x0A, 0x0A, 3]))).status == 0)
  }

  @Test func `an answer without end is cut off`() async throws {
    let answer = try await answer(to: .endless)
    #expect(answer.status == 0)
    #expect(answer.failure?.contains("longer than") == true)
  }

  @Test(arguments: [301, 302, 303, 307, 308]) func `a redirect is an answer and is not followed`(status: Int)
    async throws
  {
    let elsewhere = try HTTPTestServer(.ok)
    defer { elsewhere.stop() }
    let answer = try await answer(
      to: .answer(status, headers: ["Location": "http://127.0.0.1:\(elsewhere.port)/sdk-events"]))
    #expect(answer.status == status)
    #expect(elsewhere.requests.isEmpty)
  }

  @Test func `cookies are neither kept nor sent`() async throws {
    let server = try HTTPTestServer(.answer(200, headers: ["Set-Cookie": "a=b"]))
    defer { server.stop() }
    let transport = URLSessionTransport()
    for _ in 0..<2 { _ = await send(HTTPRequest(url: server.url, timeouts: .remote), by: transport) }
    #expect(server.requests.map { $0.headers["cookie"] } == [nil, nil])
  }

  @Test func `what is under way can be ended, and completes`() async throws {
    let server = try HTTPTestServer(.silence)
    defer { server.stop() }
    let transport = URLSessionTransport()
    async let answer = send(HTTPRequest(url: server.url, timeouts: .remote), by: transport)
    #expect(await eventually { !server.requests.isEmpty })
    transport.cancelAll()
    #expect(await answer.status == 0)
  }
}

/// Watches, and takes nothing.
private final class Watcher: URLProtocol {
  static let seen = Locked<[Int]>([])

  override class func canInit(with request: URLRequest) -> Bool {
    seen.withLock { $0.append(request.url?.port ?? 0) }
    return false
  }
}
