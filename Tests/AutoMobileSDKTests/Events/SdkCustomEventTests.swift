import Foundation
import Testing

@testable import AutoMobileRecorder

struct SdkCustomEventTests {
  @Test func `a literal of strings means the documented initializer`() throws {
    let event = SdkCustomEvent(name: "purchase", properties: ["plan": "pro"])
    #expect(event.eventType == .custom)
    #expect(event.properties == ["plan": "pro"])
    #expect(event.typedProperties == ["plan": "pro"])
    #expect(SdkCustomEvent(name: "purchase").properties.isEmpty)
    #expect(SdkCustomEvent(name: "purchase", properties: [:]).properties.isEmpty)
  }

  @Test func `a literal of many kinds keeps them`() throws {
    let event = SdkCustomEvent(
      timestamp: 1, name: "purchase",
      properties: ["plan": "pro", "items": 3, "total": 9.5, "gift": nil, "new": true, "tags": ["a"], "by": ["id": 7]])
    let json = try withEncodedEvent(event, contextId: nil) { Data($0) }
    #expect(
      try JSONTree(parsing: json)
        == JSONTree(
          parsing: #"""
            {"eventType":"custom","timestamp":1,"name":"purchase","properties":
              {"plan":"pro","items":3,"total":9.5,"gift":null,"new":true,"tags":["a"],"by":{"id":7}}}
            """#.utf8))
    #expect(
      event.properties == [
        "plan": "pro", "items": "3", "total": "9.5", "gift": "null", "new": "true", "tags": #"["a"]"#,
        "by": #"{"id":7}"#,
      ])
    let decoded = try JSONDecoder().decode(SdkCustomEvent.self, from: json)
    #expect(decoded.typedProperties == event.typedProperties)
  }
}
