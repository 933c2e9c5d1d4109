import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

struct EventJSONWriterTests {
  private func written(_ members: (inout EventJSONWriter) -> Void) throws -> String {
    try withJSONObject(members) { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `members are separated by commas, and nil is left out`() throws {
    let json = try written { json in
      json.member("a", "text")
      json.member("b", String?.none)
      json.member("c", Int64(-7))
      json.member("d", Int?.none)
      json.member("e", 0.5)
      json.member("f", true)
      json.member("g", false)
      json.member("h", [String]())
      json.member("i", ["x", "y"])
      json.member("j", [String: String]())
      json.member("k", ["x": "y"])
      json.object("l") { $0.member("m", 1) }
      json.object("n") { _ in }
      json.objects("o", [1, 2]) { $1.member("p", $0) }
    }
    #expect(
      json == #"{"a":"text","c":-7,"e":0.5,"f":true,"g":false,"h":[],"i":["x","y"],"j":{},"k":{"x":"y"},"#
        + #""l":{"m":1},"n":{},"o":[{"p":1},{"p":2}]}"#)
    #expect(try written { _ in } == "{}")
  }

  @Test func `characters are escaped as RFC 8259 asks, and no others`() throws {
    for byte in UInt8(0)..<128 {
      let character = String(UnicodeScalar(byte))
      let json = try written { $0.member("a", character) }
      let mustBeEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      #expect((json != #"{"a":"\#(character)"}"#) == mustBeEscaped)
      #expect(try JSONTree(parsing: json.utf8) == .object([[UInt8(ascii: "a")]: .string([byte])]))
    }
    #expect(
      try written { $0.member("a", "\u{0}\u{1F}\n\u{2028}é\u{7F}") } == #"{"a":"\u0000\u001f\n\#u{2028}é\#u{7F}"}"#)
  }

  @Test func `an escape is found at every place of strings of every length`() throws {
    for length in 0..<40 {
      let plain = Array(repeating: UInt8(ascii: "x"), count: length)
      let json = try written { $0.member("a", String(decoding: plain, as: UTF8.self)) }
      #expect(json == #"{"a":"\#(String(decoding: plain, as: UTF8.self))"}"#)
      for place in 0..<length {
        for special in [UInt8(ascii: "\""), 0x1F, UInt8(ascii: "\\")] {
          var bytes = plain
          bytes[place] = special
          let json = try written { $0.member("a", String(decoding: bytes, as: UTF8.self)) }
          #expect(try JSONTree(parsing: json.utf8) == .object([[UInt8(ascii: "a")]: .string(bytes)]))
        }
      }
    }
  }

  @Test func `integers are written in full`() throws {
    var numbers: [Int64] = [.max, .min, .max - 1, .min + 1, 0, -1]
    var power: Int64 = 1
    while let next = power.multipliedReportingOverflow(by: 10) as (Int64, Bool)?, !next.1 {
      numbers += [power - 1, power, power + 1, -power, power * 7 / 3]
      power = next.0
    }
    var random = SeededRandom(1)
    for _ in 0..<2000 { numbers.append(Int64(bitPattern: random.next()) >> Int64(random.next() % 64)) }
    for number in numbers {
      #expect(try written { $0.member("a", number) } == #"{"a":\#(number)}"#)
      #expect(
        try withJSON({ $0.value(UInt64(bitPattern: number)) }, body: { String(decoding: $0, as: UTF8.self) })
          == "\(UInt64(bitPattern: number))")
    }
  }

  @Test func `doubles read back as the same number, and what is not finite is null`() throws {
    var numbers: [Double] = [
      0, -0.0, 1, -1, 0.1, 1 / 3, .pi, 1e15, 1e16, 1e21, 1e22, 1e-5, 1e-7, 123456.789, .greatestFiniteMagnitude,
      .leastNonzeroMagnitude, .leastNormalMagnitude, -2.2250738585072014e-308,
    ]
    var random = SeededRandom(2)
    while numbers.count < 2000 {
      let number = Double(bitPattern: random.next())
      if number.isFinite { numbers.append(number) }
    }
    for number in numbers {
      let json = try written { $0.member("a", number) }
      let text = json.dropFirst(5).dropLast()
      #expect(Double(text)?.bitPattern == number.bitPattern, "\(json)")
      #expect(text.contains { $0 == "." || $0 == "e" })
    }
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(try written { $0.member("a", number) } == #"{"a":null}"#)
    }
  }

  @Test func `metadata is null where it is nested too deep, as Codable has it`() throws {
    var value: MetadataValue = "bottom"
    for level in 0..<500 { value = level % 2 == 0 ? [value] : ["k": value] }
    let event = SdkCustomEvent(timestamp: 1, name: "deep", properties: ["p": value])
    let fast = try withEncodedEvent(event, contextId: nil) { Array($0) }
    #expect(try JSONTree(parsing: fast) == JSONTree(parsing: JSONEncoder().encode(event)))
    let depth = fast.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
    #expect(depth == MetadataValue.maximumDepth)
  }
}
