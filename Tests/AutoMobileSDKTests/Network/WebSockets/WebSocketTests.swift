#if os(macOS) || os(Linux)
@testable import AutoMobileRecorder
@testable import AutoMobileRequests
import AutoMobileHTTP
import Foundation
import TestTools
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct WebSocketTests {
  private func harness(isDebugBuild: Bool = true) throws -> NetworkHarness {
    let harness = try NetworkHarness(isDebugBuild: isDebugBuild)
    harness.network.setCaptureBodies(true)
    return harness
  }

  private func text(_ frame: SdkWebSocketFrameEvent) -> String {
    "\(frame.direction) \(frame.frameType) \(frame.payloadSize ?? -1) \(frame.payload ?? "–")"
  }

  /// The real task where there can be one, and everywhere one that a stand-in carries.
  private static let ways = WebSocketServer.isSupported ? [false, true] : [true]

  private func socket(_ harness: NetworkHarness, _ url: URL, isStandIn: Bool) -> AutoMobileWebSocketTask {
    let task = URLSession.shared.webSocketTask(with: url)
    return AutoMobileWebSocketTask(task, over: isStandIn ? EchoConnection() : nil, network: harness.network)
  }

  @Test(arguments: ways)
  func `what goes over a socket is recorded, under one id, with the request that opened it`(
    isStandIn: Bool
  ) async throws {
    let server = try await onThread { Result { try WebSocketServer() } }.get()
    let harness = try harness()
    let socket = socket(harness, server.url, isStandIn: isStandIn)
    socket.resume()
    try await socket.send(.string(#"{"hello":"you","token":"S3CRET"}"#))
    guard case .string(let echo) = try await socket.receive() else { throw CancellationError() }
    #expect(echo.contains("S3CRET"), "the app gets what was sent")
    try await socket.send(.data(Data([0, 0xFF, 1])))
    guard case .data(let bytes) = try await socket.receive() else { throw CancellationError() }
    #expect(bytes == Data([0, 0xFF, 1]))
    let pong = await withCheckedContinuation { continuation in
      socket.sendPing { continuation.resume(returning: $0 == nil) }
    }
    #expect(pong)
    try await socket.send(.string("close"))
    await #expect(throws: (any Error).self) { _ = try await socket.receive() }

    let frames = try harness.frames()
    let redacted = #"32 {"hello":"you","token":"REDACTED"}"#
    #expect(
      frames.map(text) == [
        "sent text \(redacted)", "received text \(redacted)", "sent binary 3 AP8B", "received binary 3 AP8B",
        "sent ping 0 –", "received pong 0 –", "sent text 5 close", "received close 3 bye",
      ])
    #expect(frames[2].payloadEncoding == "base64" && frames[0].payloadEncoding == nil)
    #expect(frames.allSatisfy { $0.requestId == socket.requestId && $0.url.hasSuffix("/feed?token=REDACTED") })
    let exchanges = try harness.exchanges()
    #expect(exchanges.map(\.id) == [socket.requestId])
    #expect(exchanges.first?.statusCode == 101 && exchanges.first?.source == "websocket")
    for payload in try harness.payloads() { #expect(payload.range(of: Data("S3CRET".utf8)) == nil) }
  }

  @Test(arguments: ways) func `a release build records sizes only`(isStandIn: Bool) async throws {
    let server = try await onThread { Result { try WebSocketServer() } }.get()
    let harness = try harness(isDebugBuild: false)
    let socket = socket(harness, server.url, isStandIn: isStandIn)
    socket.resume()
    try await socket.send(.string("hello"))
    socket.cancel(with: .goingAway, reason: Data("later".utf8))
    socket.cancel(with: .goingAway, reason: nil)
    #expect(try harness.frames().map(text) == ["sent text 5 –", "sent close 5 –"])
  }

  @Test func `a connection that fails is recorded with its error`() async throws {
    let harness = try harness()
    let session = URLSession(configuration: .ephemeral)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "ws://127.0.0.1:1/"))
    let socket = harness.network.webSocket(session.webSocketTask(with: url))
    socket.resume()
    await #expect(throws: (any Error).self) { _ = try await socket.receive() }
    let exchange = try #require(try harness.exchanges().first)
    #expect(exchange.error != nil && exchange.statusCode == nil)
    #expect(try harness.frames().isEmpty)
  }

  @Test func `frames that are recorded by hand have what the app said`() throws {
    let harness = try harness()
    harness.network.recordWebSocketFrame(
      url: "wss://a.example/?token=S3CRET", direction: .received, frameType: .ping, payloadSize: 4)
    harness.network.recordWebSocketFrame(url: "wss://a.example/", direction: .sent, frameType: .binary)
    harness.network.recordWebSocketFrame(url: "wss://a.example/", direction: .sent, frameType: .text, payloadSize: -1)
    #expect(try harness.frames().map(text) == ["received ping 4 –", "sent binary -1 –", "sent text -1 –"])
    #expect(try harness.frames().first?.url == "wss://a.example/?token=REDACTED")
  }

  @Test func `a frame's JSON is that of the exports`() throws {
    let harness = try harness()
    harness.network.record(
      url: "wss://a.example/", .sent, .binary, HTTPBody(bytes: Data([0xFF]), size: 1), requestId: "r1", at: 7)
    let frame = try JSONDecoder().decode(HTTPWebSocketFrame.self, from: #require(try harness.payloads().first))
    #expect(
      frame
        == HTTPWebSocketFrame(
          timestamp: 7, url: "wss://a.example/", direction: .sent, kind: .binary,
          payload: HTTPBody(bytes: Data([0xFF]), size: 1), exchangeID: "r1"))
  }
}
#endif
