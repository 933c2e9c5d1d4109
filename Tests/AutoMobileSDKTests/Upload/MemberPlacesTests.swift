import TestTools
import Testing

@testable import AutoMobileRecorder

/// An event whose places are remembered answers what one answers that is walked through each time.
@Suite struct MemberPlacesTests {
  private static let names = [
    "eventType", "timestamp", "a", "b", "a.b", "properties", "properties.plan", "plan", "x", "missing", "",
  ]

  /// Objects of some, of many and of very many members, of which several have one name, with others in them.
  private static func json(_ random: inout SeededRandom) -> [UInt8] {
    func members(_ count: Int, _ depth: Int) -> String {
      (0..<count).map { _ in
        let name = names.randomElement(using: &random) ?? ""
        let value: String
        switch Int.random(in: 0..<6, using: &random) {
        case 0: value = "\(Int.random(in: -9...9, using: &random))"
        case 1: value = #""text \#(count) é \" \\ ""#
        case 2: value = "true"
        case 3: value = #"[1, {"a": "]"}, "\""]"#
        default: value = depth > 0 ? "{\(members(3, depth - 1))}" : "null"
        }
        return #"\#(depth > 1 ? " " : "")"\#(name)":\#(value)"#
      }.joined(separator: ",")
    }
    return Array("{\(members([0, 3, 31, 32, 33, 34, 100].randomElement(using: &random) ?? 0, 2))}".utf8)
  }

  @Test(arguments: 1...40) func `remembered or not, each question has the same answer`(seed: UInt64) {
    var random = SeededRandom(seed)
    let places = MemberPlaces()
    var found = 0
    for _ in 0..<40 {
      var json = Self.json(&random)
      if Bool.random(using: &random) {
        for _ in 0..<3 {
          json[Int.random(in: 0..<json.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        json.removeLast(Int.random(in: 0..<json.count, using: &random))
      }
      json.withUnsafeBytes { bytes in
        let (plain, remembering) = (EventBytes(bytes), EventBytes(bytes, remembering: places))
        for _ in 0..<30 {
          let path = Array((Self.names + ["properties.a.b", "a.b.a", "x.y"]).randomElement(using: &random)!.utf8)
          let (expected, value) = (plain.value(at: path), plain.member(path))
          #expect(remembering.value(at: path) == expected)
          #expect(remembering.member(path) == value)
          found += expected == nil ? 0 : 1
        }
      }
    }
    #expect(found > 100)
  }

  @Test func `what is asked of one event is not what was remembered of the one before`() {
    let places = MemberPlaces()
    for number in 0..<3 {
      Array(#"{"n":\#(number),"of\#(number)":1}"#.utf8).withUnsafeBytes { bytes in
        let event = EventBytes(bytes, remembering: places)
        #expect(event.member(Array("n".utf8)).flatMap(event.integer) == Int64(number))
        for other in 0..<3 { #expect((event.member(Array("of\(other)".utf8)) != nil) == (other == number)) }
      }
    }
  }

  @Test func `behind what is no JSON there is no member, however often it is asked for`() {
    Array(#"{"a":,"b":1}"#.utf8).withUnsafeBytes { bytes in
      let event = EventBytes(bytes, remembering: MemberPlaces())
      for _ in 0..<3 {
        #expect(event.member(Array("b".utf8)) == nil && event.value(at: Array("b.c".utf8)) == nil)
        #expect(EventBytes(bytes).member(Array("b".utf8)) == nil)
      }
    }
  }

  @Test func `where a text ends is found at each length and with each escape`() {
    for length in 0...40 {
      for ending in [#"""#, #"\""""#, #"\\""#, #"\\\"x""#, ""] {
        let text = Array("\"\(String(repeating: "z", count: length))\(ending)".utf8)
        // Byte by byte, as the standard says it (RFC 8259, 7).
        var (at, expected) = (1, Int?.none)
        while at < text.count, expected == nil {
          if text[at] == UInt8(ascii: "\"") { expected = at + 1 }
          at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        let padded = text + Array("\", \"more\"".utf8)
        padded.withUnsafeBytes { #expect(JSONBytes.end(ofString: $0, 0, text.count) == expected) }
      }
    }
  }
}
