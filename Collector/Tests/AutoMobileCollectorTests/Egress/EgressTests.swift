import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import Testing

@testable import AutoMobileCollector

@Suite struct `What the collector sends by itself` {
  /// Leads everybody to the same address.
  private static func egress(_ rules: [String] = [], to address: String) throws -> Egress {
    Egress(policy: try EgressPolicy(rules)) { _ in [EgressAddress(address)].compactMap { $0 } }
  }

  @Test func `it does not reach this machine, by no name and in no spelling`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "reached") }
    defer { receiver.stop() }
    let port = receiver.port
    for host in [
      "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f000001", "0177.0.0.1",
      "0.0.0.0", "[::]", "127.0.0.2", "LOCALHOST", "localhost.",
    ] {
      await #expect(throws: EgressError.self, "\(host)") {
        try await Egress().send(to: "http://\(host):\(port)/")
      }
    }
    // Nor by a name of somebody's own that leads there.
    await #expect(throws: EgressError.self) {
      try await Self.egress(to: "127.0.0.1").send(to: "http://hooks.example.com:\(port)/")
    }
    #expect(receiver.requests.isEmpty)
  }

  @Test func `it reaches what was allowed, and nothing beside it`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "reached") }
    defer { receiver.stop() }
    let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
    let answer = try await egress.send(
      to: "http://127.0.0.1:\(receiver.port)/hook?x=1", headers: [("X-A", "b")], body: Array("hello".utf8))
    #expect(answer.status == 200 && String(buffer: answer.body) == "reached" && answer.isWhole)
    let request = try #require(receiver.requests.first)
    #expect(request.hasPrefix("POST /hook?x=1 HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\nhello"))
    #expect(request.contains("X-A: b\r\n"))
    await #expect(throws: EgressError.self) {
      try await egress.send(to: "http://127.0.0.2:\(receiver.port)/")
    }
  }

  @Test func `a name that is looked up again leads nowhere else`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "reached") }
    defer { receiver.stop() }
    let asked = NIOLockedValueBox(0)
    // Good when it is looked at, and this machine ever after: what a rebinding name server says.
    let egress = Egress(policy: .standard) { _ in
      let count = asked.withLockedValue { count in
        count += 1
        return count
      }
      return [EgressAddress(count == 1 ? "203.0.113.7" : "127.0.0.1")!]
    }
    let connection = try await egress.connection(
      to: "http://rebinding.example.com:\(receiver.port)/", limits: EgressLimits(connectSeconds: 0.3, seconds: 0.5))
    #expect(connection.address.text == "203.0.113.7")
    for _ in 0..<3 {
      await #expect(throws: EgressError.self) { try await connection.send(headers: [], body: []) }
    }
    await connection.close()
    #expect(asked.withLockedValue { $0 } == 1 && receiver.requests.isEmpty)
    // Asked again, it is refused.
    await #expect(throws: EgressError.self) {
      try await egress.send(to: "http://rebinding.example.com:\(receiver.port)/")
    }
  }

  @Test func `the other way round, the address that was looked at is asked, whatever the name is`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "reached") }
    defer { receiver.stop() }
    let egress = try Self.egress(["127.0.0.1:\(receiver.port)"], to: "127.0.0.1")
    let answer = try await egress.send(to: "http://Nowhere.invalid:\(receiver.port)/")
    #expect(answer.status == 200)
    #expect(receiver.requests.first?.lowercased().contains("host: nowhere.invalid:\(receiver.port)\r\n") == true)
  }

  @Test(arguments: ["http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:PORT/inside", "/inside"])
  func `a redirect is an answer, and is not followed`(place: String) async throws {
    let receiver = try CannedServer { _ in .init("307 Temporary Redirect", [("Location", place)], "") }
    defer { receiver.stop() }
    let egress = Egress(policy: try EgressPolicy(["127.0.0.1:\(receiver.port)"]))
    let answer = try await egress.send(to: "http://127.0.0.1:\(receiver.port)/")
    #expect(answer.status == 307 && receiver.requests.count == 1)
  }

  @Test func `an answer without an end is cut off, and one that drips is not waited for`() async throws {
    let endless = try CannedServer { _ in .init("200 OK", [], String(repeating: "x", count: 1 << 20)) }
    defer { endless.stop() }
    let answer = try await Egress(policy: try EgressPolicy(["127.0.0.1"])).send(
      to: "http://127.0.0.1:\(endless.port)/", limits: EgressLimits(answerBytes: 1000))
    #expect(answer.body.readableBytes == 1000 && !answer.isWhole)

    let dripping = try DrippingServer()
    defer { dripping.stop() }
    let begun = ContinuousClock.now
    await #expect(throws: EgressError.slow(seconds: 0.5)) {
      try await Egress(policy: try EgressPolicy(["127.0.0.1"])).send(
        to: "http://127.0.0.1:\(dripping.port)/", limits: EgressLimits(seconds: 0.5))
    }
    #expect(ContinuousClock.now - begun < .seconds(5))
  }

  @Test func `a header cannot bring another one`() async throws {
    let receiver = try CannedServer { _ in .text("200 OK", "reached") }
    defer { receiver.stop() }
    let egress = Egress(policy: try EgressPolicy(["127.0.0.1"]))
    for (name, value) in [("X-A", "b\r\nX-C: d"), ("X-A", "b\nX-C: d"), ("X-A\r\nX-C", "d"), ("X A", "b")] {
      await #expect(throws: EgressError.self) {
        try await egress.send(to: "http://127.0.0.1:\(receiver.port)/", headers: [(name, value)])
      }
    }
    #expect(receiver.requests.isEmpty)
  }

  @Test func `when to come again is read in both forms, and never believed for more than a day`() {
    func after(_ text: String) -> Double? {
      EgressAnswer(status: 429, headers: ["Retry-After": text], body: ByteBuffer(), isWhole: true)
        .retryAfter(now: Date(timeIntervalSince1970: 1_700_000_000))
    }
    #expect(after("7") == 7 && after(" 1.5 ") == 1.5 && after("-3") == 0 && after("999999999") == 86_400)
    #expect(after("Tue, 14 Nov 2023 22:13:50 GMT") == 30 && after("Tue, 14 Nov 2023 22:00:00 GMT") == 0)
    #expect(after("soon") == nil && after("nan") == nil && after("inf") == nil)
  }
}
