import Testing

@testable import AutoMobileCollector

@Suite struct `Redaction of what is escaped` {
  private static let rules: RedactionRules = {
    var rules = RedactionRules()
    let all =
      RedactionPattern.allCases.map(RedactionRule.What.pattern) + ["password", "pin", "token"].map { .field($0) }
    for (index, what) in all.enumerated() {
      rules.add(RedactionRule(id: Int64(index + 1), project: nil, what: what, createdAt: 0, createdBy: "", redacted: 0))
    }
    return rules
  }()

  private static func redact(_ text: String) -> (text: String, count: Int64) {
    var counts: RedactionCounts = [:]
    let redacted = Array(text.utf8).withUnsafeBytes {
      JSONRedactor.redact($0, by: rules, maximumDepth: 64, &counts)
    }
    #expect((redacted == nil) == counts.isEmpty)
    return (redacted.map { String(decoding: $0, as: UTF8.self) } ?? text, counts.values.reduce(0, +))
  }

  private static func isJSON(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      return (try? scanner.document { try $0.skip() }) != nil
    }
  }

  @Test func `nothing of what is named is left, and nothing else is touched`() {
    for (text, wanted) in EscapedCases.all {
      let redacted = Self.redact(text)
      #expect(redacted.text == wanted, "\(text)")
      #expect(!Self.isJSON(text) || Self.isJSON(redacted.text), "\(text)")
      // Once is enough, and what is sent again is not counted again.
      let again = Self.redact(wanted)
      #expect(again.text == wanted && again.count == 0, "\(wanted)")
    }
  }

  /// JSON may stand in a string deeper than it is looked into: then it is a text, in which escapes are undone.
  @Test func `JSON that is nested too deep is not kept as it is`() {
    let quote = JSONTree.string
    for depth in [30, 63, 64, 65, 100] {
      let begin = String(repeating: "[", count: depth)
      let inner = "{\"mail\":\"mira\\u0040example.com\",\"password\":\"secret\"}"
      let json = begin + inner + String(repeating: "]", count: depth)
      for text in [json, "{\"body\":\(quote(json).text)}"] {
        let redacted = Self.redact(text)
        #expect(!redacted.text.contains("example.com") && !redacted.text.contains("secret"), "\(depth)")
        #expect(redacted.count == 2)
      }
    }
    var text = "{\"password\":\"secret\",\"mail\":\"mira@example.com\"}"
    for _ in 0..<10 { text = "{\"a\":\(quote(text).text)}" }
    let redacted = Self.redact(text)
    #expect(!redacted.text.contains("secret") && !redacted.text.contains("mira"))
    #expect(Self.isJSON(redacted.text))
  }

  @Test func `a place in a text that was read is one in the text as it is`() throws {
    let text = "a%41+b\\\\u0040c+ %zz%2541"
    try Array(text.utf8).withUnsafeBytes { bytes in
      let decoded = try #require(DecodedText(bytes))
      #expect(String(decoding: decoded.bytes, as: UTF8.self) == "aA b@c+ %zz%41")
      func original(_ range: Range<Int>, of text: DecodedText) -> String {
        String(decoding: bytes[text.original(range)], as: UTF8.self)
      }
      #expect(original(1..<2, of: decoded) == "%41" && original(2..<3, of: decoded) == "+")
      #expect(original(4..<5, of: decoded) == "\\\\u0040" && original(0..<14, of: decoded) == text)
      let again = try #require(decoded.decodedAgain)
      #expect(String(decoding: again.bytes, as: UTF8.self) == "aA b@c+ %zzA")
      #expect(original(11..<12, of: again) == "%2541" && original(0..<12, of: again) == text)
      #expect(again.decodedAgain == nil)
    }
    for text in ["", "plain", "100%", "%4", "\\u00", "C++ +", "\\n"] {
      #expect(Array(text.utf8).withUnsafeBytes { DecodedText($0) == nil }, "\(text)")
    }
  }

  /// Pieces of what is looked for, put together at random and always the same: whatever comes of it is in order.
  @Test func `whatever stands together, JSON stays JSON, and what is taken out is counted`() {
    let pieces = [
      "password", "\"", "\\", "\\\"", "{", "}", "[", "]", ":", ",", "=", "&", "%22", "%5B", "%", "+", "\\u0040",
      "\\\\u0022", " ",
      ";",
      "4111+1111+1111+1111", "mira@example.com", "mira%40example.com", "a", "token", "\n", "1", "+4930123456", "%2B49",
      "é",
    ]
    var state: UInt64 = 42
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for round in 0..<3000 {
      var text = (0..<next(24)).map { _ in pieces[next(pieces.count)] }.joined()
      if round % 3 == 0 { text = "{\"body\":\(JSONTree.string(text).text),\"n\":1}" }
      let redacted = Self.redact(text)
      #expect((redacted.text == text) == (redacted.count == 0), "\(text)")
      #expect(!Self.isJSON(text) || Self.isJSON(redacted.text), "\(text)")
    }
  }
}
