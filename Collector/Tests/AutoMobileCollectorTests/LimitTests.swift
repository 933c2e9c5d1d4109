import AutoMobileJournal
import CZlib
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Limits` {
  @Test func `gzip is taken in both formats`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addLog("zipped")
      let raw = try await collector.send(
        .POST, "/sdk-events", headers: [("Content-Type", BatchHeader.mediaType), ("Content-Encoding", "gzip")],
        body: gzip(try batch.bytes()))
      #expect(raw.status == 200)
      let json = envelope([#"{"eventType":"log","timestamp":1}"#])
      let zipped = try await collector.send(
        .POST, "/sdk-events", headers: [("Content-Type", "application/json"), ("Content-Encoding", "GZIP")],
        body: gzip(json.utf8))
      #expect(zipped.status == 200)
      #expect(try zipped.json()["accepted"].int == 1)
      // What came over the network is counted as it came.
      let metrics = try await collector.get("/metrics").text
      let came = gzip(try batch.bytes()).readableBytes + gzip(json.utf8).readableBytes
      #expect(metrics.contains("automobile_ingest_received_bytes_total \(came)\n"))
      #expect(metrics.contains("automobile_ingest_bytes_total \(try batch.bytes().count + json.utf8.count)\n"))
    }
  }

  @Test(arguments: ["gzip", "deflate"]) func `a bomb is refused without being unpacked`(coding: String) async throws {
    try await RunningCollector.with { options in
      options.limits.decompressedBytes = 1 << 20
    } _: { collector in
      let blanks = [UInt8](repeating: 0x20, count: 50 << 20)
      let bomb = coding == "gzip" ? gzip(blanks) : deflate(blanks)
      #expect(bomb.readableBytes < 100_000)
      let answer = try await collector.send(
        .POST, "/sdk-events", headers: [("Content-Type", "application/json"), ("Content-Encoding", coding)], body: bomb)
      #expect(answer.status == 413)
      #expect(answer.errorCode == "too_large")
    }
  }

  @Test func `gzip that is cut off, damaged, or no gzip is answered with 400`() async throws {
    try await RunningCollector.with { collector in
      let whole = gzip(envelope([#"{"eventType":"log","timestamp":1}"#]).utf8)
      var damaged = whole
      damaged.setInteger(UInt8(0xFF), at: 30)
      let cases: [(ByteBuffer, String)] = [
        (whole.getSlice(at: 0, length: whole.readableBytes - 5) ?? whole, "truncated"),
        (damaged, "invalid_gzip"), (ByteBuffer(string: "{}"), "invalid_gzip"), (ByteBuffer(), "truncated"),
      ]
      for (body, code) in cases {
        let answer = try await collector.send(
          .POST, "/sdk-events", headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
          body: body)
        #expect(answer.status == 400)
        #expect(answer.errorCode == code)
      }
      let other = try await collector.post(envelope: "{}", headers: [("Content-Encoding", "br")])
      #expect(other.status == 415)
      #expect(other.errorCode == "unsupported_encoding")
    }
  }

  @Test func `a body with the dictionary is taken, and one with another dictionary is not`() async throws {
    try await RunningCollector.with { collector in
      let batch = envelope([#"{"eventType":"log","timestamp":1}"#]).utf8
      let whole = deflate(batch)
      #expect(whole.readableBytes < gzip(batch).readableBytes)
      var (named, damaged, longer) = (whole, whole, whole)
      named.setInteger(UInt8(0), at: 3)
      damaged.setInteger(UInt8(0xFF), at: 12)
      // What follows the end belongs to nobody.
      longer.writeString("x")
      let cases: [(body: ByteBuffer, status: Int, code: String?)] = [
        (whole, 200, nil), (deflate(batch, dictionary: nil), 200, nil),
        // Apps that were built before the last dictionary was.
        (deflate(batch, dictionary: FormerDictionary.text), 200, nil),
        (deflate(batch, dictionary: "another one, that nobody knows"), 415, "unknown_dictionary"),
        (named, 415, "unknown_dictionary"), (damaged, 400, "invalid_deflate"), (longer, 400, "invalid_deflate"),
        (whole.getSlice(at: 0, length: whole.readableBytes - 5) ?? whole, 400, "truncated"),
        (ByteBuffer(string: "{}"), 400, "invalid_deflate"), (gzip(batch), 400, "invalid_deflate"),
      ]
      for (number, one) in cases.enumerated() {
        let answer = try await collector.send(
          .POST, "/sdk-events", headers: [("Content-Type", "application/json"), ("Content-Encoding", "deflate")],
          body: one.body)
        #expect(answer.status == one.status, "\(number)")
        if let code = one.code { #expect(answer.errorCode == code, "\(number)") }
      }
    }
  }

  @Test func `each dictionary is announced by its checksum, and the one of before last`() {
    for (text, name) in [
      (BatchDictionary.text, BatchDictionary.name), (FormerDictionary.text, FormerDictionary.name),
    ] {
      let checksum = adler32(1, text.utf8Start, UInt32(text.utf8CodeUnitCount))
      #expect(String(UInt32(checksum), radix: 16) == name)
    }
    // An SDK that knows one dictionary takes what is said of the format last.
    let last = IngestRoutes.formats.split(separator: ",").last
    #expect(last?.hasSuffix(";dictionary=\(FormerDictionary.name)") == true)
    #expect(IngestRoutes.formats.contains(";dictionary=\(BatchDictionary.name),"))
  }

  @Test func `a body over the limit is answered with 413, announced or not`() async throws {
    try await RunningCollector.with { options in
      options.limits.bodyBytes = 1000
    } _: { collector in
      let long = String(repeating: " ", count: 2000)
      let announced = try await collector.post(envelope: long)
      #expect(announced.status == 413)
      let socket = try RawSocket(port: collector.port)
      await socket.send(
        "POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n\(long)\r\n")
      let answer = await socket.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 413"))
      #expect(answer.contains("too_large"))
    }
  }

  @Test func `an event over the limit is rejected by name and the rest of the batch is kept`() async throws {
    try await RunningCollector.with { options in
      options.limits.eventBytes = 200
    } _: { collector in
      let long = #"{"eventType":"log","timestamp":1,"message":"\#(String(repeating: "x", count: 300))"}"#
      let answer = try await collector.post(envelope: envelope([long, #"{"eventType":"log","timestamp":1}"#])).json()
      #expect(answer["accepted"].int == 1)
      #expect(answer["rejected"][0]["index"].int == 0)
      var batch = RawBatch()
      batch.add(.event, long)
      batch.addLog("short", context: nil)
      try await collector.post(raw: batch)
      let row = try await collector.waitForLaunch(batch.launch, stored: 1)
      #expect(row["quarantined"].int == 1)
    }
  }

  @Test func `too many events in one envelope are answered with 413`() async throws {
    try await RunningCollector.with { options in
      options.limits.batchEvents = 2
    } _: { collector in
      let event = #"{"eventType":"log","timestamp":1}"#
      let answer = try await collector.post(envelope: envelope([event, event, event]))
      #expect(answer.status == 413)
    }
  }

  @Test func `too many or too large header fields end the connection with 431`() async throws {
    try await RunningCollector.with { options in
      options.limits.headerCount = 20
      options.limits.headerBytes = 4096
    } _: { collector in
      for fields in [
        (0..<40).map { "X-\($0): y\r\n" }.joined(), "X-Long: \(String(repeating: "y", count: 10_000))\r\n",
      ] {
        let socket = try RawSocket(port: collector.port)
        await socket.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        #expect(await socket.readToEnd().hasPrefix("HTTP/1.1 431"))
      }
      #expect(try await collector.get("/health").status == 200)
    }
  }

  @Test(arguments: [
    "POST /sdk-ev",
    "POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    "POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n5\r\n{\"eve",
  ])
  func `a client that stops in the middle of a request is let go`(beginning: String) async throws {
    try await RunningCollector.with { options in
      options.limits.requestSeconds = 0.3
      options.limits.idleSeconds = 0.3
    } _: { collector in
      let socket = try RawSocket(port: collector.port)
      await socket.send(beginning)
      let answer = await socket.readToEnd()
      #expect(!answer.hasPrefix("HTTP/1.1 200"))
      #expect(try await collector.get("/health").status == 200)
    }
  }

  @Test func `more bodies at once than memory is meant for are answered with 429`() async throws {
    try await RunningCollector.with { options in
      options.limits.inFlightBytes = 1000
    } _: { collector in
      let answer = try await collector.post(envelope: String(repeating: " ", count: 2000))
      #expect(answer.status == 429)
      #expect(answer.headers["Retry-After"] == ["1"])
    }
  }

  @Test func `connections over the limit wait their turn`() async throws {
    try await RunningCollector.with { options in
      options.limits.connections = 2
      options.limits.idleSeconds = 0.3
    } _: { collector in
      var sockets: [RawSocket] = []
      for _ in 0..<6 { sockets.append(try RawSocket(port: collector.port)) }
      // The idle ones are closed, so the request gets its turn.
      #expect(try await collector.get("/health").status == 200)
      withExtendedLifetime(sockets) {}
    }
  }

  @Test func `a client that asks whether it may send is told so`() async throws {
    try await RunningCollector.with { collector in
      let socket = try RawSocket(port: collector.port)
      await socket.send(
        "POST /sdk-events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 13\r\n"
          + "Expect: 100-continue\r\nConnection: close\r\n\r\n")
      #expect(await socket.readLine() == "HTTP/1.1 100 Continue")
      await socket.send("{\"events\":[]}")
      #expect(await socket.readToEnd().contains("HTTP/1.1 200 OK"))
    }
  }
}
