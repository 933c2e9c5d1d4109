import Foundation
import Testing

@testable import AutoMobileRecorder

struct EventSizeTests {
  private func log(_ message: String) -> SdkLogEvent {
    SdkLogEvent(timestamp: 1, level: .info, tag: nil, message: message, filterName: "")
  }

  private func size(_ event: some SdkEvent) throws -> Int { try withEncodedEvent(event, contextId: 1) { $0.count } }

  @Test func `an event is whole on both sides of the end of the stack's memory`() throws {
    let frame = try size(log(""))
    for length in 1024 - frame - 40...1024 - frame + 40 {
      for tail in ["", "\n", "é", "\u{0}"] {
        let message = String(repeating: "x", count: length) + tail
        let json = try withEncodedEvent(log(message), contextId: 1) { Data($0) }
        #expect(try JSONDecoder().decode(SdkLogEvent.self, from: json).message == message)
      }
    }
  }

  @Test func `an event may be as large as the limit, and a byte more is an error`() throws {
    let room = EventJSONWriter.maximumSize - (try size(log("")))
    #expect(try size(log(String(repeating: "x", count: room))) == EventJSONWriter.maximumSize)
    for more in [1, 2, 3, 10, 100, 10_000_000] {
      #expect(throws: EventEncodingError.tooLarge) { try size(log(String(repeating: "x", count: room + more))) }
    }
  }

  @Test func `what counts is the size with escapes`() throws {
    let zeros = String(repeating: "\u{0}", count: EventJSONWriter.maximumSize / 6 + 1)
    #expect(throws: EventEncodingError.tooLarge) { try size(log(zeros)) }
    #expect(try size(log(String(zeros.dropLast(100)))) <= EventJSONWriter.maximumSize)
  }

  @Test func `an event with very many members is refused, too`() {
    var details: [String: String] = [:]
    for number in 0..<60_000 { details["key \(number)"] = "value \(number)" }
    let event = SdkLifecycleEvent(state: "x", details: details)
    #expect(throws: EventEncodingError.tooLarge) { try size(event) }
  }
}
