import Foundation
import Testing

@testable import AutoMobileRecorder

struct SdkEventDecoderTests {
  private func decode(_ json: String) throws -> any SdkEvent { try SdkEventDecoder.decode(Data(json.utf8)) }

  @Test func `a recorded event comes back as its own type, whatever was added to it`() throws {
    let event = try decode(
      #"{"eventType":"log","timestamp":5,"level":3,"message":"m","filterName":"f","contextId":1,"new":[]}"#
    )
    let log = try #require(event as? SdkLogEvent)
    #expect(log.timestamp == 5)
    #expect(log.level == .warning)
    #expect(log.tag == nil)
    #expect(log.message == "m")
  }

  @Test func `an event of the app's own making keeps all its members`() throws {
    let event = try decode(#"{"eventType":"custom","timestamp":5,"total":9.5,"items":[1,null]}"#)
    let custom = try #require(event as? SdkCustomEvent)
    #expect(custom.name == "custom")
    #expect(custom.typedProperties == ["total": 9.5, "items": [1, nil]])
  }

  @Test func `an event that lacks a member of its type is kept as a custom one`() throws {
    let event = try decode(#"{"eventType":"navigation","timestamp":"soon","destination":"home"}"#)
    let custom = try #require(event as? SdkCustomEvent)
    #expect(custom.name == "navigation")
    #expect(custom.timestamp == 0)
    #expect(custom.properties == ["destination": "home", "timestamp": "soon"])
  }

  @Test(arguments: ["", "[]", "3", #"{"eventType":"#, "null", "\u{0}"]) func `what is no JSON object is an error`(
    json: String
  ) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }
}
