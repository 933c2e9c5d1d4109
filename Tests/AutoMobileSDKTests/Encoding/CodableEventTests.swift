import Foundation
import Testing

@testable import AutoMobileRecorder

/// Events of an app's own types.
struct CodableEventTests {
  private struct Checkout: SdkEvent, Equatable {
    var eventType = SdkEventType.custom
    var timestamp: Int64 = 17
    var total: Double
    var note: String?
    var items = ["a", "b"]
  }

  private struct Bare: SdkEvent {
    var eventType: SdkEventType { .interaction }
    var timestamp: Int64 { 18 }
    var inner = ["eventType": "not this one", "timestamp": "nor this"]
    var text = "eventType\":\" \\\"timestamp\":1"
  }

  private struct Empty: SdkEvent {
    var eventType: SdkEventType { .log }
    var timestamp: Int64 { 19 }
  }

  private struct Value<T: Codable & Sendable>: SdkEvent {
    var eventType: SdkEventType { .custom }
    var timestamp: Int64 { 20 }
    var value: T

    init(_ value: T) { self.value = value }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(T.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  private struct Failing: SdkEvent {
    struct Refused: Error {}
    var eventType = SdkEventType.custom
    var timestamp: Int64 = 21
    func encode(to encoder: any Encoder) throws { throw Refused() }
  }

  private func encoded(_ event: some SdkEvent, contextId: UInt64? = nil) throws -> Data {
    try withEncodedEvent(event, contextId: contextId) { Data($0) }
  }

  private func tree(_ text: String) throws -> JSONTree { try JSONTree(parsing: text.utf8) }

  @Test func `an event of the app's own type is recorded as its Codable has it`() throws {
    let event = Checkout(total: 9.5, note: "\"quoted\"\n")
    let json = try encoded(event)
    #expect(try JSONTree(parsing: json) == JSONTree(parsing: JSONEncoder().encode(event)))
    #expect(try JSONDecoder().decode(Checkout.self, from: json) == event)
    #expect(String(decoding: try encoded(event, contextId: 3), as: UTF8.self).hasSuffix(#","contextId":3}"#))
  }

  @Test func `type and time are added when the event does not encode them`() throws {
    let json = try JSONTree(parsing: encoded(Bare()))
    let inner = try JSONTree(parsing: JSONEncoder().encode(Bare()))
    guard case .object(var members) = json, case .object(let own) = inner else { throw CocoaError(.coderInvalidValue) }
    #expect(members.removeValue(forKey: Array("eventType".utf8)) == .string(Array("interaction".utf8)))
    #expect(members.removeValue(forKey: Array("timestamp".utf8)) == .integer(18))
    #expect(members == own)
  }

  @Test func `an event without members of its own is still an event`() throws {
    #expect(String(decoding: try encoded(Empty()), as: UTF8.self) == #"{"eventType":"log","timestamp":19}"#)
    #expect(
      String(decoding: try encoded(Empty(), contextId: 1), as: UTF8.self)
        == #"{"eventType":"log","timestamp":19,"contextId":1}"#)
  }

  @Test func `an event that encodes to no object becomes the member value`() throws {
    let head = #"{"eventType":"custom","timestamp":20,"value":"#
    #expect(try JSONTree(parsing: encoded(Value([1, 2]), contextId: 5)) == tree(head + #"[1,2],"contextId":5}"#))
    #expect(try JSONTree(parsing: encoded(Value("{}"))) == tree(head + #""{}"}"#))
    #expect(try JSONTree(parsing: encoded(Value(true))) == tree(head + "true}"))
    #expect(try JSONTree(parsing: encoded(Value(Int?.none))) == tree(head + "null}"))
  }

  @Test func `an event whose encoding throws is an error, not a trap`() {
    #expect(throws: EventEncodingError.notEncodable) { try encoded(Failing()) }
  }

  @Test func `a number that is not finite does not cost the event`() throws {
    let json = String(decoding: try encoded(Checkout(total: .infinity)), as: UTF8.self)
    #expect(json.contains(#""total":"Infinity""#))
  }

  @Test func `an event of the app's own type that is too large is an error`() {
    #expect(throws: EventEncodingError.tooLarge) {
      try encoded(Checkout(total: 1, note: String(repeating: "x", count: 1_000_000)))
    }
  }
}
