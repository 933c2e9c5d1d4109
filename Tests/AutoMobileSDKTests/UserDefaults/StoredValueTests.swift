import Foundation
import Testing

@testable import AutoMobileInspection
@testable import AutoMobileRecorder

@Suite struct `Values of preferences` {
  @Test func `A20: each type has its name and its text`() {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let values: [(Any, KeyValueType, String)] = [
      (true, .bool, "true"), (false, .bool, "false"), (1, .int, "1"), (0, .int, "0"), (-7, .int, "-7"),
      (1.5, .double, "1.5"),
      (Int64.max, .int, "9223372036854775807"), (UInt64.max, .int, "18446744073709551615"),
      ("text 🦊\0", .string, "text 🦊\0"), ("", .string, ""), (Data([0, 255]), .data, "AP8="),
      (date, .date, "2023-11-14T22:13:20.250Z"),
      ([1, "a", true, [Data([1])]] as [Any], .array, #"[1,"a",true,["AQ=="]]"#),
      (["b": 1, "a": ["c": date]] as [String: Any], .dictionary, #"{"a":{"c":"2023-11-14T22:13:20.250Z"},"b":1}"#),
      (NSNull(), .unknown, "NSNull"), (URL(fileURLWithPath: "/"), .unknown, "URL"),
      (NSNumber(value: true), .bool, "true"), (NSNumber(value: 1), .int, "1"), (NSNumber(value: 0.5), .double, "0.5"),
    ]
    for (value, type, text) in values {
      let stored = StoredValue(value)
      #expect(stored.type == type, "\(value)")
      #expect(stored.text == text)
      #expect(!stored.isTruncated)
    }
  }

  @Test func `dates beyond any calendar, and numbers that are none, have a text`() {
    for seconds in [1e300, -1e300, .infinity, .nan, 1e12, -1e11] {
      #expect(!StoredValue(Date(timeIntervalSince1970: seconds)).text.isEmpty)
    }
    #expect(StoredValue(Double.nan).text == "nan")
    #expect(StoredValue([Double.infinity]).text == "[null]")
  }

  @Test func `long and deep values are cut, and told apart all the same`() {
    let long = String(repeating: "é", count: 100_000)
    #expect(StoredValue(long).isTruncated && StoredValue(long).text.utf8.count <= StoredValue.maximumText)
    #expect(StoredValue(long) != StoredValue(long + "x"))
    let (data, other) = (Data(count: 300_000), Data(count: 299_999) + [1])
    #expect(StoredValue(data).text == StoredValue(other).text && StoredValue(data) != StoredValue(other))
    #expect(StoredValue(data).isTruncated)
    var deep: Any = "end"
    for _ in 0..<500 { deep = [deep] }
    #expect(StoredValue(deep).text.contains("…"))
    let wide = Array(repeating: 1, count: 200_000)
    #expect(StoredValue(wide).isTruncated && StoredValue(wide).text.utf8.count <= StoredValue.maximumText)
  }

  @Test(arguments: [
    (KeyValueType.string, "a"), (.int, "-12"), (.double, "1.5"), (.bool, "true"), (.data, "AP8="),
    (.date, "2023-11-14T22:13:20.250Z"), (.array, #"[1,"a",[true]]"#), (.dictionary, #"{"a":{"b":[0.5]}}"#),
  ])
  func `a text that a value was shown as makes the value again`(type: KeyValueType, text: String) throws {
    let value = try StoredValue.parse(text, as: type)
    #expect(StoredValue(value).type == type)
    #expect(StoredValue(value).text == text)
    // As does the value itself.
    let again = try StoredValue.parse(value, as: type)
    #expect(StoredValue(again) == StoredValue(value))
  }

  @Test(arguments: [
    (KeyValueType.int, "1.5"), (.int, ""), (.int, "9999999999999999999"), (.double, "nan"), (.double, "x"),
    (.bool, "maybe"),
    (.data, "not base64!"), (.date, "yesterday"), (.array, "{}"), (.array, "[null]"), (.array, "["),
    (.dictionary, "[]"),
    (.dictionary, #"{"a":null}"#), (.dictionary, ""), (.unknown, "x"), (.array, String(repeating: "[", count: 100_000)),
  ])
  func `what stands for no value of the type is refused, and the error says what was expected`(
    type: KeyValueType, text: String
  ) {
    #expect { try StoredValue.parse(text, as: type) } throws: { "\($0)".hasPrefix("expected ") }
  }

  @Test func `what no property list holds is refused`() {
    let values: [(Any?, KeyValueType)] = [
      (nil, .string), (NSNull(), .string), ([NSNull()], .array), (["a": NSObject()], .dictionary), (true, .int),
      (Data(), .string),
    ]
    for (value, type) in values {
      #expect(throws: ControlError.self) { try StoredValue.parse(value, as: type) }
    }
  }
}
