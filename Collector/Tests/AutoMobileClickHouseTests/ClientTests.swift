import ClickHouseTestServer
import Foundation
import NIOCore
import Testing

@testable import AutoMobileClickHouse

/// Against a server that lies.
@Suite struct ClientTests {
  private static func ask(_ client: ClickHouseClient) async throws -> [Int64] {
    try await client.rows("SELECT toInt64(1)") { try $0.int(Int64.self) }
  }

  private static let row = "\u{1}\0\0\0\0\0\0\0"

  private static func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }

  private func expect(
    _ kind: ClickHouseError.Kind, from answer: String, insert: Bool = false,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try await LyingServer(answer).with { client in
      let error = await #expect(throws: ClickHouseError.self, sourceLocation: location) {
        if insert {
          try await client.insert(ByteBuffer(string: "x"), "INSERT INTO t")
        } else {
          _ = try await Self.ask(client)
        }
      }
      #expect(error?.kind == kind, "\(error?.description ?? "")", sourceLocation: location)
      #expect(error.map { "\($0)".contains("a password") } == false, sourceLocation: location)
    }
  }

  @Test func `A sound answer is read`() async throws {
    try await LyingServer("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n\(Self.row)").with { client in
      let rows = try await Self.ask(client)
      #expect(rows == [1])
    }
  }

  @Test func `An answer that ends before its length is no answer`() async throws {
    try await expect(.connection, from: "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n\(Self.row)")
    try await expect(.connection, from: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(Self.chunk(Self.row))")
    try await expect(.connection, from: "HTTP/1.1 200 OK\r\nContent-Le")
    try await expect(.connection, from: "")
    // A whole answer, but half of a row.
    try await expect(.answer, from: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
  }

  @Test func `An insert whose confirmation did not come whole is not confirmed`() async throws {
    try await expect(.connection, from: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", insert: true)
    try await expect(.connection, from: "", insert: true)
    try await expect(.answer, from: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nOk.", insert: true)
    try await expect(.answer, from: "HTTP/1.1 204 No Content\r\n\r\n", insert: true)
    try await expect(
      .server(code: 252),
      from: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + Self.chunk("Code: 252. DB::Exception: Too many parts. (TOO_MANY_PARTS)") + "0\r\n\r\n", insert: true)
    try await expect(
      .server(code: 241), from: "HTTP/1.1 200 OK\r\nX-ClickHouse-Exception-Code: 241\r\nContent-Length: 0\r\n\r\n",
      insert: true)
  }

  @Test func `An exception behind the first rows of an answer is one`() async throws {
    let exception = "Code: 395. DB::Exception: boom (version 25.1)\n"
    // Of releases that end the connection, and of those that end the answer as if it were whole.
    try await expect(
      .server(code: 395),
      from: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(Self.chunk(Self.row))\(Self.chunk(exception))")
    try await expect(
      .server(code: 395),
      from:
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(Self.chunk(Self.row))\(Self.chunk(exception + "123"))0\r\n\r\n"
    )
  }

  @Test func `Who does not say no as ClickHouse does is not believed`() async throws {
    try await expect(.answer, from: "HTTP/1.1 404 Not Found\r\nContent-Length: 13\r\n\r\n<html>nothing")
    try await expect(.connection, from: "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
    try await expect(.connection, from: "I am no HTTP server\r\n\r\n")
  }

  @Test func `Credentials do not follow a redirect, and stand in no address`() async throws {
    let other = try await LyingServer("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n\(Self.row)")
    let first = try await LyingServer(
      "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://\(other.host)/\r\nContent-Length: 0\r\n\r\n")
    try await first.with { client in
      await #expect(throws: ClickHouseError.self) { _ = try await Self.ask(client) }
    }
    #expect(other.requests == 0)
    let asked = try #require(first.asked.withLockedValue { $0.first })
    #expect(asked.contains("X-ClickHouse-Key: a password"))
    #expect(asked.split(separator: "\r\n").first?.contains("password") == false)
    try await other.stop()
  }

  @Test func `An answer without an end is cut at the limit`() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    let piece = Self.chunk(String(repeating: "\0", count: 65536))
    for status in ["200 OK", "500 Internal Server Error"] {
      let server = try await LyingServer { _ in
        [.send(Array(head.replacingOccurrences(of: "200 OK", with: status).utf8)), .forever(Array(piece.utf8))]
      }
      try await server.with { client in
        let error = await #expect(throws: ClickHouseError.self) { _ = try await Self.ask(client) }
        #expect(error?.kind == .tooLarge)
      }
    }
  }

  @Test func `An answer that unpacks to very much is cut at the limit`() async throws {
    // 10 MB of zeros, packed by gzip: 10 KB.
    let packed = try #require(Data(base64Encoded: try Self.bomb()))
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
    let server = try await LyingServer { _ in [.send(Array(head.utf8) + Array(packed))] }
    try await server.with(compressed: true) { client in
      let error = await #expect(throws: ClickHouseError.self) { _ = try await Self.ask(client) }
      #expect(error?.kind == .tooLarge, "\(error?.description ?? "")")
    }
  }

  private static func bomb() throws -> String {
    let process = try GuardedProcess(
      ["/bin/sh", "-c", "head -c 10000000 /dev/zero | gzip -9 | base64 | tr -d '\\n'"],
      in: FileManager.default.temporaryDirectory)
    defer { process.end() }
    var data = Data()
    while true {
      let more = process.read()
      guard !more.isEmpty else { break }
      data.append(more)
    }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `Who answers nothing, or for ever, is given up`() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let slow: [LyingServer.Act] = (0..<200).flatMap { _ in [.wait(.milliseconds(50)), .send(Array("1\r\n\0\r\n".utf8))]
    }
    for acts in [[.wait(.seconds(60))], [.send(head)] + slow] as [[LyingServer.Act]] {
      try await LyingServer { _ in acts }.with(timeout: .seconds(3)) { client in
        let error = await #expect(throws: ClickHouseError.self) { _ = try await Self.ask(client) }
        #expect(error?.kind == .timeout)
      }
    }
  }

  @Test func `A question that is cancelled has no answer, not a short one`() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(Self.chunk(Self.row))".utf8)
    let server = try await LyingServer { _ in [.send(head), .wait(.seconds(60))] }
    try await server.with(timeout: .seconds(30)) { client in
      let task = Task { try await Self.ask(client) }
      while server.requests == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: (any Error).self) { _ = try await task.value }
    }
  }

  @Test func `The next host is asked when one does not answer, and stays the first`() async throws {
    let dead = try await LyingServer("")
    let living = try await LyingServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n\(Self.row)".utf8))]
    }
    var address = ClickHouseAddress(hosts: [dead.host, living.host], database: "default")
    address.timeout = .seconds(5)
    let client = ClickHouseClient(address)
    for _ in 0..<3 { #expect(try await Self.ask(client) == [1]) }
    #expect(dead.requests == 1 && living.requests == 3)
    try await client.shutdown()
    try await dead.stop()
    try await living.stop()
  }
}
