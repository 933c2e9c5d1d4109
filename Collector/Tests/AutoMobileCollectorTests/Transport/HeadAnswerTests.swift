import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `HEAD` {
  @Test func `is answered with a head alone, so that the answers after it are in their place`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      for path in ["/", "/nothing.js", "/api/sessions", "/sdk-events"] {
        await socket.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = await socket.readHead()
        await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let next = await socket.readLine()
        #expect(next == "HTTP/1.1 200 OK", "after HEAD \(path): \(head)")
        let fields = await socket.readHead()
        let length = try #require(fields.compactMap { Int($0.dropFirst("Content-Length: ".count)) }.first)
        await socket.read(length)
      }
    }
  }

  @Test func `of each of the viewer's files has the length that GET sends, and no body`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      for path in ["/"] + WebAssets.embedded.paths.map({ "/" + $0 }) {
        let get = try await collector.get(path)
        #expect(get.status == 200)
        await socket.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = await socket.readHead()
        #expect(head.first == "HTTP/1.1 200 OK", "\(path)")
        #expect(head.contains("Content-Length: \(get.body.readableBytes)"), "\(path)")
      }
    }
  }

  @Test func `several at once are answered in order`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      let one = "Host: localhost\r\n\r\n"
      await socket.send("HEAD / HTTP/1.1\r\n\(one)GET /health HTTP/1.1\r\n\(one)HEAD /app.js HTTP/1.1\r\n\(one)")
      await socket.send("GET /health HTTP/1.1\r\nConnection: close\r\n\(one)")
      let answer = await socket.readToEnd()
      #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 5)
      #expect(!answer.lowercased().contains("<html"))
    }
  }
}
