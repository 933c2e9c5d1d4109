import AsyncHTTPClient
import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Live tail` {
  @Test func `events arrive as they are indexed, and a listener goes on where it stopped`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addLog("before anybody listened")
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)

      var last = ""
      try await collector.listen("/api/tail") { stream in
        try await stream.waitUntilOpen()
        var second = RawBatch(launch: batch.launch, from: batch.position)
        second.addLog("first heard")
        second.addLog("second heard")
        try await collector.post(raw: second)
        let first = try await stream.next()
        #expect(first.name == "sdk-event")
        #expect(first.data["payload"]["message"].string == "first heard")
        last = first.id
      }
      try await collector.listen("/api/tail", headers: [("Last-Event-ID", last)]) { stream in
        let next = try await stream.next()
        #expect(next.data["payload"]["message"].string == "second heard")
      }
    }
  }

  @Test func `a filter lets through what was asked for`() async throws {
    try await RunningCollector.with { collector in
      try await collector.listen("/api/tail?type=navigation&session=s-2") { stream in
        try await stream.waitUntilOpen()
        var batch = RawBatch()
        batch.addContext(1, session: "s-1")
        batch.addContext(2, session: "s-2")
        batch.addNavigation(to: "A", context: 1)
        batch.addLog("no", context: 2)
        batch.addNavigation(to: "B", context: 2)
        try await collector.post(raw: batch)
        #expect(try await stream.next().data["payload"]["destination"].string == "B")
      }
    }
  }

  @Test func `a word finds also what arrives from a session of which it is said`() async throws {
    try await RunningCollector.with { collector in
      for query in ["mira", "iphone15", "\"mira@example\"", "mira second"] {
        try await collector.listen("/api/tail?q=\(query.inQuery)") { stream in
          try await stream.waitUntilOpen()
          var batch = RawBatch()
          batch.addContext(1, session: "s-1", user: "jonas@example.com")
          batch.addContext(2, session: "s-2", user: "mira@example.com")
          batch.addLog("first", context: query.hasPrefix("i") ? nil : 1)
          batch.addLog("second", context: 2)
          try await collector.post(raw: batch)
          #expect(try await stream.next().data["payload"]["message"].string == "second", "\(query)")
        }
      }
      // Nobody is called like what a device's model is called by.
      try await collector.listen("/api/tail?q=model") { stream in
        try await stream.waitUntilOpen()
        var batch = RawBatch()
        batch.addContext(1, session: "s-1", user: "jonas@example.com")
        batch.addLog("first")
        batch.addLog("a model of it")
        try await collector.post(raw: batch)
        #expect(try await stream.next().data["payload"]["message"].string == "a model of it")
      }
    }
  }

  @Test func `many events at once all arrive, in order`() async throws {
    try await RunningCollector.with { collector in
      try await collector.listen("/api/tail") { stream in
        try await stream.waitUntilOpen()
        var batch = RawBatch()
        for index in 0..<1500 { batch.addLog("\(index)", context: nil) }
        try await collector.post(raw: batch)
        for index in 0..<1500 {
          #expect(try await stream.next().data["payload"]["message"].string == "\(index)")
        }
      }
    }
  }

  @Test func `line breaks in a sender's JSON do not break the stream`() async throws {
    try await RunningCollector.with { collector in
      try await collector.listen("/api/tail") { stream in
        try await stream.waitUntilOpen()
        var batch = RawBatch()
        batch.add(.event, "{\n  \"eventType\": \"log\",\r\n  \"timestamp\": 1,\n\n  \"message\": \"pretty\"\n}")
        try await collector.post(raw: batch)
        #expect(try await stream.next().data["payload"]["message"].string == "pretty")
      }
    }
  }

  @Test func `listeners over the limit are sent away`() async throws {
    try await RunningCollector.with { options in
      options.limits.subscribers = 1
    } _: { collector in
      try await collector.listen("/api/tail") { stream in
        try await stream.waitUntilOpen()
        let answer = try await collector.get("/api/tail")
        #expect(answer.status == 503)
        #expect(answer.errorCode == "too_many_listeners")
      }
    }
  }

  @Test func `a listener that does not read is dropped`() async throws {
    try await RunningCollector.with { options in
      options.limits.stalledReaderSeconds = 0.2
    } _: { collector in
      let socket = try RawSocket(port: collector.port)
      await socket.send("GET /api/tail HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 0.0\r\n\r\n")
      var batch = RawBatch()
      let filling = String(repeating: "x", count: 10_000)
      for _ in 0..<300 { batch.addLog(filling, context: nil) }
      let deadline = ContinuousClock.now + .seconds(60)
      while try await !collector.get("/metrics").text.contains("automobile_slow_readers_dropped_total 1") {
        try #require(ContinuousClock.now < deadline, "the listener was not dropped")
        // As much as the buffers in between can take, and then some.
        try await collector.post(raw: batch)
        batch = batch.following()
      }
      withExtendedLifetime(socket) {}
    }
  }

  @Test func `an orderly stop ends the streams`() async throws {
    try await RunningCollector.with { collector in
      try await collector.listen("/api/tail") { stream in
        try await stream.waitUntilOpen()
        collector.collector.stop()
        await #expect(throws: (any Error).self) { try await stream.next() }
      }
    }
  }
}

/// A stream of server-sent events, read as a browser does.
final class EventStream {
  struct Event {
    var id: String
    var name: String
    var data: JSONValue
  }

  struct Ended: Error {}

  private var iterator: HTTPClientResponse.Body.AsyncIterator
  private var buffer = ByteBuffer()

  init(_ body: HTTPClientResponse.Body) { iterator = body.makeAsyncIterator() }

  /// The first comment: from now on everything is heard.
  func waitUntilOpen() async throws { _ = try await block() }

  func next() async throws -> Event {
    while true {
      var event = Event(id: "", name: "", data: .null)
      for line in try await block().split(separator: "\n") {
        if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") {
          event.data = try JSONDecoder().decode(JSONValue.self, from: Data(line.dropFirst(6).utf8))
        }
      }
      if event.data != .null { return event }
    }
  }

  /// The text up to the next empty line.
  private func block() async throws -> String {
    while true {
      let bytes = buffer.readableBytesView
      if let end = zip(bytes.indices, bytes.indices.dropFirst()).first(where: { bytes[$0] == 10 && bytes[$1] == 10 }) {
        let text = buffer.readString(length: end.1 - bytes.startIndex + 1) ?? ""
        buffer.discardReadBytes()
        return text
      }
      guard var part = try await iterator.next() else { throw Ended() }
      buffer.writeBuffer(&part)
    }
  }
}

extension RunningCollector {
  /// Opens a stream of events for as long as `body` runs.
  func listen(
    _ path: String, headers: [(String, String)] = [], _ body: (EventStream) async throws -> Void
  ) async throws {
    let client = HTTPClient(eventLoopGroup: HTTPClient.shared.eventLoopGroup)
    do {
      var request = HTTPClientRequest(url: url + path)
      for (name, value) in headers { request.headers.add(name: name, value: value) }
      let response = try await client.execute(request, timeout: .seconds(60))
      #expect(response.status == .ok)
      try await body(EventStream(response.body))
    } catch {
      try? await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }
}
