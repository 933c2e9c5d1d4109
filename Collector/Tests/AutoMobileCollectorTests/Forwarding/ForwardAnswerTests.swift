import NIOCore
import NIOHTTP1
import OpenTelemetryProto
import Testing

@testable import AutoMobileCollector

@Suite struct `What a receiver answers to a forwarder` {
  private static func outcome(
    _ status: Int, _ body: [UInt8] = [], type: String = "application/x-protobuf", headers: [(String, String)] = [],
    isWhole: Bool = true, signal: ForwardSignal = .logs, secrets: [String] = []
  ) -> ForwardOutcome {
    let answer = EgressAnswer(
      status: status, headers: HTTPHeaders([("Content-Type", type)] + headers), body: ByteBuffer(bytes: body),
      isWhole: isWhole)
    return ForwardAnswer(answer: answer, signal: signal, records: 10, secrets: secrets).outcome
  }

  private static func bytes(rejected: Int64, _ message: String) throws -> [UInt8] {
    try OTLP.LogsResponse.with {
      $0.partialSuccess.rejectedLogRecords = rejected
      $0.partialSuccess.errorMessage = message
    }.serializedBytes()
  }

  @Test func `an answer of the protocol, or none, is an acknowledgement`() throws {
    let good = ForwardOutcome.accepted(rejected: 0, reason: nil)
    #expect(Self.outcome(200) == good)
    #expect(Self.outcome(204, type: "text/plain") == good)
    #expect(Self.outcome(200, Array("{}".utf8), type: "application/json") == good)
    #expect(Self.outcome(200, Array(" {\"partialSuccess\":{},\"more\":1}".utf8), type: "application/json") == good)
    // Who asks in protobuf may be answered in JSON.
    #expect(Self.outcome(200, Array("{}".utf8)) == good)
    #expect(Self.outcome(200, try Self.bytes(rejected: 3, "no")) == .accepted(rejected: 3, reason: "no"))
    #expect(
      Self.outcome(
        200, Array(#"{"partialSuccess":{"rejectedSpans":"2","errorMessage":"late"}}"#.utf8), type: "application/json",
        signal: .traces) == .accepted(rejected: 2, reason: "late"))
  }

  @Test func `numbers that cannot be are not believed`() throws {
    #expect(Self.outcome(200, try Self.bytes(rejected: .max, "all")) == .accepted(rejected: 10, reason: "all"))
    #expect(Self.outcome(200, try Self.bytes(rejected: .min, "")) == .accepted(rejected: 0, reason: nil))
    #expect(
      Self.outcome(200, try Self.bytes(rejected: 1, ""))
        == .accepted(rejected: 1, reason: "the receiver gave no reason"))
  }

  @Test(arguments: [
    ("text/html", "<title>Sign in</title>"), ("text/plain", "OK"), ("application/json", "[]"),
    ("application/json", "{\"partialSuccess\":7}"), ("application/json", "{"), ("application/x-protobuf", "<html>"),
    ("text/html", "{}"), ("application/json", String(repeating: "{\"a\":", count: 5000)),
  ])
  func `what only says 200 is none`(type: String, body: String) {
    guard case .later = Self.outcome(200, Array(body.utf8), type: type) else {
      Issue.record("\(body) was taken for an answer: \(Self.outcome(200, Array(body.utf8), type: type))")
      return
    }
  }

  @Test func `an answer without an end is none`() {
    guard case .later = Self.outcome(200, [], isWhole: false) else { return #expect(Bool(false)) }
  }

  @Test func `only what the protocol says is tried again`() {
    for status in [429, 502, 503, 504] {
      let outcome = Self.outcome(status, headers: [("Retry-After", "7")])
      #expect(outcome == .later(reason: "the receiver answered \(status)", after: 7))
    }
    for status in [400, 408, 410, 415, 422, 500, 501, 505, 599] {
      #expect(Self.outcome(status) == .refused(reason: "the receiver answered \(status)"))
    }
    for status in [301, 302, 307, 401, 403, 404, 405, 407] {
      guard case .blocked = Self.outcome(status) else { return #expect(Bool(false), "\(status)") }
    }
    guard case .tooLarge = Self.outcome(413) else { return #expect(Bool(false)) }
  }

  @Test func `what it says is short, on one line, and holds no secret`() throws {
    let secrets = Forwarder.Settings.with(headers: ["Authorization": "Bearer sesame-1234", "X": "abc"]).secrets
    let text = "bad token sesame-1234\n\u{1B}[31m" + String(repeating: "x", count: 100_000)
    let outcome = Self.outcome(400, Array(text.utf8), type: "text/plain", secrets: secrets)
    guard case .refused(let reason) = outcome else { return #expect(Bool(false)) }
    #expect(reason.contains("bad token …") && !reason.contains("sesame"))
    #expect(reason.count < 300 && !reason.hasControlCharacters)
    let status = try Google_Rpc_Status.with { $0.message = "sent Bearer sesame-1234" }.serializedBytes() as [UInt8]
    #expect(Self.outcome(400, status, secrets: secrets) == .refused(reason: "the receiver answered 400: sent …"))
    let partial = try Self.bytes(rejected: 1, "Bearer sesame-1234")
    #expect(Self.outcome(200, partial, secrets: secrets) == .accepted(rejected: 1, reason: "…"))
  }

  @Test func `pauses grow to a minute, and heed what is asked for to an hour`() {
    let pause = ForwardPause()
    for (attempt, seconds) in [(1, 1.0), (2, 2), (4, 8), (7, 60), (1000, 60), (Int.max, 60)] {
      let range = seconds * 0.75...seconds * 1.25
      #expect(range.contains(pause.seconds(attempt: attempt, asked: nil)))
    }
    #expect((30.0...33).contains(pause.seconds(attempt: 1, asked: 30)))
    #expect((3600.0...3960).contains(pause.seconds(attempt: 1, asked: 86_400)))
    #expect((0.75...1.25).contains(pause.seconds(attempt: 1, asked: 0)))
    #expect(pause.seconds(attempt: 9, asked: 0) >= 45)
  }
}

extension Forwarder.Settings {
  static func with(headers: [String: String] = [:], url: String = "https://otlp.example.com") -> Self {
    var settings = Self(url: url)
    settings.headers = headers
    return settings
  }
}
