import Foundation
import Testing

@testable import AutoMobileRecorder

struct SdkEventEnvelopeTests {
  @Test(arguments: SdkEventType.allCases) func `an envelope carries the event's JSON as base64`(
    type: SdkEventType
  ) throws {
    var events = RandomEvents(seed: 5)
    let event = events.event(of: type)
    let batch = SdkEventBatch(bundleId: "com.example", events: [try SdkEventEnvelope(event)], timestamp: 9)
    let json = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(batch)) as? [String: Any])
    #expect(Set(json.keys) == ["bundleId", "events", "timestamp"])
    let envelope = try #require((json["events"] as? [[String: Any]])?.first)
    #expect(Set(envelope.keys) == ["eventType", "payload"])
    #expect(envelope["eventType"] as? String == type.rawValue)
    let payload = try #require((envelope["payload"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(try JSONTree(parsing: payload) == JSONTree(parsing: JSONEncoder().encode(event)))
  }

  @Test func `an event of an unknown type passes through a batch unharmed`() throws {
    let payload = Data(#"{"eventType":"frame_metrics","timestamp":7,"fps":59.5}"#.utf8)
    let json = #"""
      {"bundleId":"b","timestamp":1,"events":[
        {"eventType":"frame_metrics","payload":"\#(payload.base64EncodedString())","sequence":4096}]}
      """#
    let batch = try JSONDecoder().decode(SdkEventBatch.self, from: Data(json.utf8))
    let envelope = try #require(batch.events.first)
    #expect(envelope.eventType == .custom)
    #expect(envelope.rawEventType == "frame_metrics")
    #expect(envelope.payload == payload)
    #expect(envelope.sequence == 4096)
    #expect(try JSONTree(parsing: JSONEncoder().encode(batch)) == JSONTree(parsing: json.utf8))

    let event = try #require(envelope.event() as? SdkCustomEvent)
    #expect(event.name == "frame_metrics")
    #expect(event.timestamp == 7)
    #expect(event.typedProperties == ["fps": 59.5])
  }

  @Test func `an event that cannot be encoded makes the envelope throw`() {
    let event = SdkLogEvent(
      level: .info, tag: nil, message: String(repeating: "x", count: 1_000_000), filterName: "all")
    #expect(throws: EventEncodingError.tooLarge) { try SdkEventEnvelope(event) }
  }
}
