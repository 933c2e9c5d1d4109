import AutoMobileJournal
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

@Suite struct VerdictTests {
  private func verdict(
    _ status: Int, _ body: String = "", type: String? = nil, offers: Bool = false, to format: DeliveryFormat = .envelope
  ) -> Verdict {
    var headers: [String: String] = [:]
    headers["content-type"] = type
    if offers { headers["accept-post"] = BatchHeader.mediaType }
    var batch = DeliveryBatch(purpose: .events, launch: LaunchID(), format: format, body: [])
    batch.events = [8, 16, 24].enumerated().map { ChunkEvent(index: $0, position: $1, payload: 0..<0) }
    return Verdict(HTTPAnswer(status: status, headers: headers, body: Data(body.utf8)), to: batch)
  }

  @Test(arguments: [
    (200, #"{"ok":true}"#, "application/json"), (200, "", ""), (204, "", ""), (202, "OK\n", "text/plain"),
    (200, "done", ""),
    (201, "[]", "application/json; charset=utf-8"), (200, #"{"ok":"yes","rejected":7}"#, "application/json"),
  ])
  func `answers that a receiver may give mean that it has the batch`(status: Int, body: String, type: String) {
    #expect(verdict(status, body, type: type) == .taken(rejected: []))
  }

  @Test(arguments: [
    (#"{"ok":false}"#, "application/json"), ("<html><body>Log in", "text/html"), ("  <!DOCTYPE html>", ""),
    ("{\"ok\":tr", "application/json"), ("\u{0}\u{1}", ""),
  ])
  func `a 200 that no receiver would give is a failure`(body: String, type: String) {
    guard case .failed = verdict(200, body, type: type) else {
      Issue.record("taken for an answer: \(body)")
      return
    }
  }

  @Test func `rejected events are known by sequence or index, each once`() {
    let body = """
      {"ok":true,"rejected":[{"sequence":16,"reason":"a"},{"index":0},{"sequence":16,"reason":"again"},{"index":1},
      {"sequence":17},{"index":3},{"index":-1},{}]}
      """
    #expect(
      verdict(200, body, type: "application/json")
        == .taken(rejected: [.init(position: 16, reason: "a"), .init(position: 8, reason: "no reason given")]))
  }

  @Test func `refusals are told apart`() {
    #expect(verdict(413) == .tooLarge)
    #expect(verdict(415) == .formatUnknown)
    #expect(verdict(400, #"{"error":{"message":"m"}}"#) == .malformed("m"))
    #expect(verdict(422, #"{"error":{"code":"c"}}"#) == .malformed("c"))
    #expect(verdict(400, offers: true, to: .journal) == .malformed("no reason given"))
    #expect(verdict(400, to: .journal) == .formatUnknown)
    #expect(verdict(200, #"{"ok":true}"#, to: .journal) == .formatUnknown)
    for status in [0, 408, 429, 500, 599] {
      guard case .failed = verdict(status) else { Issue.record("\(status)"); continue }
    }
    for status in [100, 301, 401, 403, 404, 409, 418, 600] {
      guard case .refused = verdict(status) else { Issue.record("\(status)"); continue }
    }
  }

  @Test func `random bodies never trap`() {
    var random = SeededRandom(7)
    let pieces = [
      "{", "}", "[", "]", "\"rejected\"", "\"sequence\"", ":", ",", "16", "-1", "1e99", "null", "\"ok\"", "true",
      "\u{0}",
    ]
    for _ in 0..<3000 {
      let body = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
      _ = verdict(200, body.joined(), type: "application/json")
    }
  }
}
