import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `JSON scanner` {
  private func error(in text: String, depth: Int = 8) -> JSONError? {
    var text = text
    return text.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes), maximumDepth: depth)
      do {
        try scanner.document { _ = try $0.skip() }
        return nil
      } catch {
        return error as? JSONError
      }
    }
  }

  @Test(arguments: [
    "{}", "[]", "0", "-0", "-1.5e+10", "1E9", "\"\"", "true", " null ", "[1,[2,[3]]]",
    #"{"a":{"b":[]},"c":"\u00e9\ud83d\ude00"}"#,
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"ü€😀\"", "[\n\t1 ,\r\n2 ]", "123456789012345678901234567890",
  ])
  func `what RFC 8259 allows is read`(text: String) { #expect(error(in: text) == nil) }

  @Test(arguments: [
    ("", 0), (" ", 1), ("{", 1), ("[1,]", 3), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{a:1}", 1), ("{\"a\":1,}", 7),
    ("01", 1), ("1.", 2), ("+1", 0), (".5", 0), ("1e", 2), ("1e999", 5), ("tru", 0), ("nul", 0), ("NaN", 0),
    ("\"\\x\"", 1), ("\"\\u12g4\"", 1), ("\"\\ud800\"", 7), ("\"\\udc00\"", 7), ("\"\t\"", 1), ("\"abc", 4),
    ("\"\\", 1),
    ("[1 2]", 3), ("{} {}", 3), ("[[[[[[[[[]]]]]]]]]", 8), ("'a'", 0), ("//", 0),
  ])
  func `what it does not is refused at the right place`(text: String, offset: Int) {
    #expect(error(in: text)?.offset == offset)
  }

  @Test(
    arguments: [
      [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0x80], [0xE2, 0x82], [0xFF], [0xFE],
    ] as [[UInt8]])
  func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
    let text = [0x22] + bytes + [0x22]
    text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      #expect(throws: JSONError.self) { try scanner.document { _ = try $0.skip() } }
    }
  }

  @Test func `a long string is read alike wherever its special characters stand`() {
    for length in 0..<40 {
      for special in ["\\\"", "é", "\\n", "\\u0041"] {
        let text = "\"" + String(repeating: "x", count: length) + special + String(repeating: "y", count: 11) + "\""
        #expect(error(in: text) == nil)
      }
      #expect(error(in: "\"" + String(repeating: "x", count: length) + "\u{1}yyyyyyyyyyy\"")?.offset == length + 1)
    }
  }

  @Test func `an event's fields are found, escaped names and all`() throws {
    var text =
      #"{"event\u0054ype":"na\u0076","timestamp":1.5e3,"contextId":7,"destination":"A\/B","x":{"sessionId":"no"}}"#
    try text.withUTF8 { bytes in
      var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
      let fields = try EventFields(&scanner)
      #expect(fields.eventType.map { scanner.decode($0) } == "nav")
      #expect(fields.timestamp == 1500)
      #expect(fields.contextId == 7)
      #expect(fields.sessionId == nil)
      #expect(fields.destination.map { scanner.decode($0) } == "A/B")
    }
  }

  @Test(
    arguments: [
      ("", []), ("QQ==", [0x41]), ("QUI=", [0x41, 0x42]), ("QUJD", [0x41, 0x42, 0x43]), ("+/+/", [0xFB, 0xFF, 0xBF]),
      ("Q", nil), ("QQ", nil), ("QQ=", nil), ("Q===", nil), ("====", nil), ("QQ==QQ==", nil), ("Q=Q=", nil),
      ("QU I", nil), ("QU-_", nil),
    ] as [(String, [UInt8]?)])
  func `base64 is decoded, and nothing else`(text: String, expected: [UInt8]?) {
    var output: [UInt8] = [9]
    let isDecoded = Base64.decode(Array(text.utf8), into: &output)
    #expect(isDecoded == (expected != nil))
    #expect(output == [9] + (expected ?? []))
  }
}
