import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

@Suite struct ContextExpanderTests {
  private func expand(_ event: String, _ contexts: [UInt64: String] = [:]) -> String {
    var output: [UInt8] = []
    Array(event.utf8).withUnsafeBytes { bytes in
      ContextExpander.append(bytes, to: &output) { id in
        contexts[id].flatMap { record in Array(record.utf8).withUnsafeBytes { .init(contextRecord: $0) } }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private let full = [
    UInt64(7):
      #"{"contextId":7,"sessionId":"s","replayId":"r","userId":"u","appVersion":"1","bundleId":"b","#
      + #""tags":{"k":"v"}}"#
  ]

  @Test func `the reference becomes session, replay and context`() {
    #expect(
      expand(#"{"eventType":"log","timestamp":1,"contextId":7}"#, full)
        == #"{"eventType":"log","timestamp":1,"context":{"appVersion":"1","sessionId":"s","tags":{"k":"v"},"#
        + #""userId":"u"},"replayId":"r","sessionId":"s"}"#
    )
  }

  @Test func `the name of the installation is in the context`() throws {
    let record = #"{"contextId":1,"anonymousId":"a-1","userId":"u"}"#
    let expanded = expand(#"{"a":1,"contextId":1}"#, [1: record])
    #expect(expanded == #"{"a":1,"context":{"anonymousId":"a-1","tags":{},"userId":"u"}}"#)
    // Whoever reads contexts as document 000 has them reads this one.
    struct Event: Decodable { var context: SdkContextSnapshot }
    #expect(try JSONDecoder().decode(Event.self, from: Data(expanded.utf8)).context.userId == "u")
  }

  @Test func `what is unknown is left out`() {
    #expect(expand(#"{"a":1,"contextId":2}"#, [2: #"{"contextId":2}"#]) == #"{"a":1,"context":{"tags":{}}}"#)
    #expect(expand(#"{"a":1,"contextId":3}"#, full) == #"{"a":1}"#)
    #expect(expand(#"{"contextId":3}"#, full) == "{}")
    #expect(expand(#"{"contextId":2}"#, [2: #"{"contextId":2}"#]) == #"{"context":{"tags":{}}}"#)
  }

  @Test func `a damaged context record is as good as none`() {
    for record in [
      "", "{", "null", "[]", #"{"contextId":-1}"#, #"{"contextId":"7"}"#, #"{"contextId":7,"tags":5}"#, "\u{0}",
    ] {
      #expect(expand(#"{"a":1,"contextId":7}"#, [7: record]) == #"{"a":1}"#)
    }
  }

  @Test(arguments: [
    #"{"message":"\"contextId\":7}"}"#, #"{"message":",\"contextId\":7}"}"#, #"{"m":{"contextId":7}}"#,
    #"{"\",\"contextId":7}"#, #"{"xcontextId":7}"#, #"{"ContextId":7}"#, #"{"contextId":7.5}"#, #"{"contextId":-7}"#,
    #"{"contextId":"7"}"#, #"{"contextId":7e1}"#, #"{"contextId":[7]}"#, #"{"contextId":7 }"#, #"{"contextId":}"#,
    #"{"contextId":99999999999999999999}"#, #"{"contextId":18446744073709551616}"#, #""contextId":7}"#, "7}", "}", "{",
    "{}", "",
    "[7]", #"{"a":7}"#, #"{ "contextId":7}"#,
  ])
  func `nothing but a real reference is touched`(event: String) {
    #expect(expand(event, full) == event)
  }

  @Test func `strings of the app survive, whatever they hold, and only the last member is replaced`() throws {
    let hostile = [
      #"","contextId":7}"#, #"\","contextId":7"#, "\u{0}\u{1f}\u{7f}\u{2028}", "}}}}", #"{"contextId":7}"#, "\\",
      "😀\u{fffd}",
      #"\\","contextId":7}"#,
    ]
    for key in hostile {
      for value in hostile {
        var event = try JSONSerialization.data(withJSONObject: [key: value, "contextId": 3] as [String: Any])
        event.removeLast()
        event.append(contentsOf: Data(#","contextId":7}"#.utf8))
        let expanded = expand(String(decoding: event, as: UTF8.self), full)
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(expanded.utf8)) as? [String: Any])
        #expect(object[key] as? String == value)
        #expect(object["sessionId"] as? String == "s")
        #expect(object["contextId"] as? Int == 3)
      }
    }
  }

  @Test func `random bytes and random damage never trap`() {
    var random = SeededRandom(42)
    let whole = Array(#"{"eventType":"log","message":"x","contextId":7}"#.utf8)
    var longer = 0
    for round in 0..<20_000 {
      var bytes = whole
      if round.isMultiple(of: 2) {
        for _ in 0..<3 {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      } else {
        bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in whole.randomElement(using: &random) ?? 0 }
      }
      var output: [UInt8] = []
      bytes.withUnsafeBytes { ContextExpander.append($0, to: &output) { _ in nil } }
      if output.count > bytes.count { longer += 1 }
    }
    #expect(longer == 0)
  }
}
