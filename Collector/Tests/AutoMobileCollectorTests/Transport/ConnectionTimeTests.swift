import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Connections that are slow` {
  @Test func `a head that drips is cut when a request's time is over, counted from its first byte`() async throws {
    try await RunningCollector.with { options in
      options.limits.requestSeconds = 0.4
      // The old clock, which every byte's silence could run down, is far away.
      options.limits.idleSeconds = 600
      options.limits.silentSeconds = 600
    } _: { collector in
      for isSecond in [false, true] {
        let socket = try RawSocket(port: collector.port)
        if isSecond {
          await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
          let head = await socket.readHead()
          await socket.read(try #require(head.compactMap { Int($0.dropFirst("Content-Length: ".count)) }.first))
        }
        await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        let dripping = Task {
          while !Task.isCancelled, await socket.send("y") { try await Task.sleep(for: .milliseconds(20)) }
        }
        // Reading ends because the collector closes: the client goes on.
        #expect(await socket.readToEnd() == "")
        dripping.cancel()
      }
    }
  }

  @Test func `a connection that says nothing is closed soon, one between two requests later`() async throws {
    try await RunningCollector.with { options in
      options.limits.silentSeconds = 2
      options.limits.idleSeconds = 600
    } _: { collector in
      let asked = try RawSocket(port: collector.port)
      await asked.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = await asked.readHead()
      await asked.read(try #require(head.compactMap { Int($0.dropFirst("Content-Length: ".count)) }.first))
      let silent = try RawSocket(port: collector.port)
      #expect(await silent.readToEnd() == "")
      // It is older than the one that was closed.
      await asked.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await asked.readToEnd().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test func `a new connection takes the place of one that waits, and none of one that is being answered`() async throws
  {
    try await RunningCollector.with { options in
      options.limits.connections = 4
      options.limits.silentSeconds = 600
      options.limits.idleSeconds = 600
    } _: { collector in
      // Asks, and its answer goes on for as long as it listens.
      let tail = try RawSocket(port: collector.port)
      await tail.send("GET /api/tail HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await tail.readLine() == "HTTP/1.1 200 OK")
      // The longest that waits, and the ones after it, go for those that come.
      var silent: [RawSocket] = []
      for _ in 0..<12 { silent.append(try RawSocket(port: collector.port)) }
      for _ in 0..<12 { #expect(try await collector.get("/health").status == 200) }
      #expect(await silent[0].readToEnd() == "")
      var batch = RawBatch()
      batch.addLog("still listened to")
      try await collector.post(raw: batch)
      #expect(await tail.readUntil("still listened to"))
    }
  }

  @Test func `those who hold connections and open them again keep nobody out`() async throws {
    try await RunningCollector.with { options in
      options.limits.connections = 64
    } _: { collector in
      let holder = Task.detached {
        var held: [RawSocket] = []
        var opened = 0
        while !Task.isCancelled {
          guard let socket = try? RawSocket(port: collector.port) else { continue }
          // Silent ones, and ones that begin a head and leave it.
          if opened % 3 == 0 { await socket.send("GET / HTTP/1.1\r\nHost: loc") }
          held.append(socket)
          opened += 1
          if held.count > 200 { held.removeFirst(100) }
          // Some hundreds a second: what the kernel's queue of connections does with more is not the collector's.
          try? await Task.sleep(for: .milliseconds(2))
        }
        return opened
      }
      // Each on a connection of its own.
      for _ in 0..<20 {
        let socket = try RawSocket(port: collector.port)
        await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(await socket.readToEnd().hasPrefix("HTTP/1.1 200"))
      }
      holder.cancel()
      _ = await holder.value
    }
  }
}
