import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `The configuration document` {
  private func document(_ json: String) throws -> ControlDocument { try ControlDocument(json: Data(json.utf8)) }

  private func section<Section: ControlSection>(_ type: Section.Type, _ json: String) throws -> Section {
    let value = try JSONDecoder().decode(MetadataValue.self, from: Data(json.utf8))
    return try Section(ControlValue(Section.name, value))
  }

  @Test func `sections and members that nobody knows are kept, and hurt nothing`() throws {
    let document = try document(
      #"{"version":7,"issuer":"a","recording":{"enabled":false,"later":[1]},"mocks":[{"host":"x"}],"new":null}"#)
    #expect(document.version == 7)
    #expect(document.sections["mocks"] == [["host": "x"]])
    #expect(document.sections["recording"] == ["enabled": false, "later": [1]])
    #expect(try RecordingSection(ControlValue("recording", document.sections["recording"])).isEnabled == false)
  }

  @Test(arguments: [
    "", "null", "[]", "7", "{}", #"{"version":7}"#, #"{"version":"7","issuer":"a"}"#, #"{"version":-1,"issuer":"a"}"#,
    #"{"version":1.5,"issuer":"a"}"#, #"{"version":7,"issuer":""}"#, #"{"version":7,"issuer":"a""#,
    "<html>Welcome to our hotel</html>", #"{"version":99999999999999999999,"issuer":"a"}"#, "\u{0}{}",
  ])
  func `what is no document is refused`(json: String) {
    #expect(throws: ControlError.self) { try document(json) }
  }

  @Test func `a document that is too long or too deep is refused without being read`() {
    let long = #"{"version":7,"issuer":"a","x":"\#(String(repeating: "y", count: 70_000))"}"#
    #expect(throws: ControlError("the document has \(long.utf8.count) bytes, more than 65536")) { try document(long) }
    for open in ["[", #"{"a":"#] {
      let deep = #"{"version":7,"issuer":"a","x":"# + String(repeating: open, count: 10_000)
      #expect(throws: ControlError("the JSON is nested deeper than 16 levels")) { try document(deep) }
    }
  }

  @Test func `brackets inside strings are no nesting`() {
    #expect(ControlJSON.depth(of: Data(#"{"a":"[[[[\"[[[[","b":[1]}"#.utf8)) == 2)
    #expect(ControlJSON.depth(of: Data(#"]]]]["#.utf8)) == 0)
  }

  @Test func `what is absent or null is the default`() throws {
    for json in ["{}", #"{"enabled":null}"#] { #expect(try section(RecordingSection.self, json).isEnabled) }
    #expect(try section(SamplingSection.self, "{}").sessionRate == 1)
    #expect(try section(ChannelSection.self, "{}") == ChannelSection())
  }

  @Test(arguments: [
    (#"{"sessionRate":"half"}"#, #"sampling.sessionRate: expected a number from 0.0 to 1.0, found "half""#),
    (#"{"sessionRate":1.5}"#, "sampling.sessionRate: expected a number from 0.0 to 1.0, found 1.5"),
    (#"{"sessionRate":-1}"#, "sampling.sessionRate: expected a number from 0.0 to 1.0, found -1.0"),
    (#"{"sessionRate":true}"#, "sampling.sessionRate: expected a number from 0.0 to 1.0, found true"),
    ("[1,2]", "sampling: expected an object, found an array of 2"),
  ])
  func `what is of another type or out of bounds is named`(json: String, message: String) {
    #expect(throws: ControlError(message)) { try section(SamplingSection.self, json) }
  }

  @Test func `whole numbers, texts and arrays have bounds, too`() throws {
    #expect(throws: ControlError.self) { try section(ChannelSection.self, #"{"checkSeconds":59}"#) }
    #expect(throws: ControlError.self) { try section(ChannelSection.self, #"{"checkSeconds":60.5}"#) }
    #expect(throws: ControlError.self) { try section(ChannelSection.self, #"{"checkSeconds":1e300}"#) }
    #expect(try section(ChannelSection.self, #"{"checkSeconds":60}"#).checkSeconds == 60)
    let list = ControlValue("mocks", ["a", "b", "c"])
    #expect(throws: ControlError("mocks: expected an array of at most 2 elements, found an array of 3")) {
      try list.elements(maximum: 2)
    }
    #expect(try list.elements(maximum: 3).map(\.path) == ["mocks[0]", "mocks[1]", "mocks[2]"])
    #expect(throws: ControlError.self) { try list.elements(maximum: 3)[0].string(maximumLength: 0) }
    #expect(try ControlValue("x", nil).elements(maximum: 1).isEmpty)
  }

  @Test func `a document is older only than one of the same issuer`() throws {
    let six = try document(#"{"version":6,"issuer":"a"}"#)
    let seven = try document(#"{"version":7,"issuer":"a"}"#)
    let other = try document(#"{"version":1,"issuer":"b"}"#)
    #expect(six.isOlder(than: seven) && !seven.isOlder(than: six) && !six.isOlder(than: six))
    #expect(!other.isOlder(than: seven))
  }
}
