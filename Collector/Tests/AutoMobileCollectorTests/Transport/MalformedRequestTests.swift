import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Requests that mean two things` {
  /// Everything that comes back for these bytes.
  private static func answer(_ request: String, _ collector: RunningCollector) async throws -> String {
    let socket = try RawSocket(port: collector.port)
    await socket.send(request)
    await socket.endSending()
    return await socket.readToEnd()
  }

  @Test(arguments: [
    "Host: localhost:evil.com", "Host: localhost:evil.com:80", "Host: localhost:", "Host: localhost:99999",
    "Host: user@localhost", "Host: localhost, evil.com", "Host: [::1]evil.com", "Host: evil.com",
  ])
  func `a host that is not exactly one of the collector's own is refused`(field: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await Self.answer("GET /api/sessions HTTP/1.1\r\n\(field)\r\n\r\n", collector)
      #expect(answer.hasPrefix("HTTP/1.1 421"), "\(answer)")
    }
  }

  @Test(arguments: [
    "Host: localhost\r\nHost: evil.com", "Host: evil.com\r\nHost: localhost", "Host: localhost\r\nhost: localhost",
    "Host: localhost\r\nX-A: 1\r\nHOST: localhost",
  ])
  func `a second host is answered with 400, whichever comes first`(fields: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await Self.answer("GET /api/sessions HTTP/1.1\r\n\(fields)\r\n\r\n", collector)
      #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
      #expect(answer.contains("doubled_host"))
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    }
  }

  /// The body of one is the beginning of another request to whoever counts otherwise.
  @Test(arguments: [
    "Content-Length: 5\r\nContent-Length: 6", "Content-Length: 5\r\nContent-Length: 5", "Content-Length: 5, 6",
    "Content-Length: 5, 5", "Content-Length: +5", "Content-Length: -5", "Content-Length: 0x5", "Content-Length: 5 5",
    "Content-Length: 99999999999999999999999", "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Content-Length : 5",
    "Transfer-Encoding: chunked\r\n Content-Length: 5", "X: y\n\nGET /sdk-events HTTP/1.1",
  ])
  func `lengths that can be read in two ways are answered with 400 and nothing after them`(fields: String) async throws
  {
    try await RunningCollector.with { collector in
      let answer = try await Self.answer(
        "POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n"
          + "0\r\n\r\nGET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", collector)
      #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
    }
  }

  @Test func `the answers to good requests before a malformed one are whole`() async throws {
    try await RunningCollector.with { collector in
      let good = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let answer = try await Self.answer(
        good + good + "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: a\r\n\r\n", collector)
      let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
      #expect(statuses == ["200", "200", "400"])
    }
  }

  @Test(arguments: ["G\u{1}T / HTTP/1.1", "GET / HTTP/9.9", "GET  HTTP/1.1", "\u{16}\u{3}\u{1}"])
  func `what is no HTTP is answered with 400, and the connection closed`(line: String) async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      // The client holds its side open.
      await socket.send("\(line)\r\nHost: localhost\r\n\r\n")
      let answer = await socket.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
      #expect(answer.contains("malformed_request"))
    }
  }

  @Test(arguments: [
    (0..<100).map { "X-\($0): y\r\n" }.joined(), (0..<1000).map { "X-\($0): y\r\n" }.joined(),
    "X-Long: \(String(repeating: "y", count: 20_000))\r\n",
    (0..<20).map { "X-\($0): \(String(repeating: "y", count: 1000))\r\n" }.joined(),
  ])
  func `too many or too large header fields are answered with 431`(fields: String) async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
      let answer = await socket.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 431"), "\(answer)")
      #expect(answer.contains("headers_too_large"))
      #expect(try await collector.get("/health").status == 200)
    }
  }

  @Test func `a hundred header fields are taken`() async throws {
    try await RunningCollector.with { collector in
      let fields = (0..<99).map { "X-\($0): y\r\n" }.joined()
      let answer = try await Self.answer("GET /health HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n", collector)
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }
  }
}
