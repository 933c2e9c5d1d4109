import Foundation
import Testing

@testable import AutoMobileRecorder

struct MetadataValueTests {
  @Test func `literals become the values that they look like`() {
    let name = "x"
    #expect("text" as MetadataValue == .string("text"))
    #expect("\(name)y" as MetadataValue == .string("xy"))
    #expect(-3 as MetadataValue == .int(-3))
    #expect(0.5 as MetadataValue == .double(0.5))
    #expect(true as MetadataValue == .bool(true))
    #expect(nil as MetadataValue == .null)
    #expect([1, "a", nil] as MetadataValue == .array([.int(1), .string("a"), .null]))
    #expect(
      ["a": 1, "b": ["c": false]] as MetadataValue == .object(["a": .int(1), "b": .object(["c": .bool(false)])]))
  }

  @Test func `a key that comes twice in a literal has its last value`() {
    #expect(["a": 1, "a": 2] as MetadataValue == .object(["a": .int(2)]))
  }

  @Test func `values survive encoding and decoding`() throws {
    let value: MetadataValue = [
      "text", 1, 0, true, false, nil, 0.1, [], [:], ["k": [["deep": "\u{0}\"\\"]]], .int(.max), .int(.min),
    ]
    #expect(try JSONDecoder().decode(MetadataValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test func `numbers keep their kind as far as JSON has one`() throws {
    func decoded(_ json: String) throws -> MetadataValue {
      try JSONDecoder().decode(MetadataValue.self, from: Data(json.utf8))
    }
    #expect(try decoded("9223372036854775807") == .int(.max))
    #expect(try decoded("18446744073709551615") == .double(18_446_744_073_709_551_616))
    #expect(try decoded("1e300") == .double(1e300))
    #expect(try decoded("1") == .int(1))
    #expect(try decoded("true") == .bool(true))
  }

  @Test func `a number that is not finite is null`() throws {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(String(decoding: try JSONEncoder().encode([MetadataValue.double(number)]), as: UTF8.self) == "[null]")
      #expect(MetadataValue.double(number).text == "null")
    }
  }
}
