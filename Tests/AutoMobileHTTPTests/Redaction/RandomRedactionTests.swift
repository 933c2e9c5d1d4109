import AutoMobileHTTP
import Foundation
import Testing

/// JSON of all shapes, with a secret in some of its places, cut somewhere.
@Suite struct RandomRedactionTests {
  private struct Maker {
    var random = SystemRandomNumberGenerator()
    static let secret = "S3CRET-1234567"

    mutating func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }

    mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    /// A name in one of the spellings that mean the same.
    mutating func spelled(_ name: String) -> String {
      name.unicodeScalars.map { scalar in
        switch Int.random(in: 0..<8, using: &random) {
        case 0: String(format: "\\u%04X", scalar.value)
        case 1: String(scalar).uppercased()
        case 2 where scalar == "s": "_s"
        default: String(scalar)
        }
      }.joined()
    }

    mutating func value(_ depth: Int, isSecret: Bool) -> String {
      if depth <= 0 || chance(3) {
        if isSecret { return "\"" + pick(["", "\\\"", "\\\\", "é", "{"]) + Self.secret + "\"" }
        return pick(["1", "true", "null", "-1.5e3", "\"\"", "\"a b\"", "\"\\\"\"", "\"a: b\"", "\"\\\\\"", "[]", "{}"])
      }
      let space = pick(["", " ", "\n\t"])
      if chance(2) {
        let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, isSecret: isSecret) }
        return "[" + space + elements.joined(separator: "," + space) + "]"
      }
      let members = (0..<Int.random(in: 0..<4, using: &random)).map { _ -> String in
        let hides = isSecret || chance(3)
        let name =
          hides && !isSecret ? spelled(pick(["password", "accesstoken", "secret"])) : pick(["a", "b c", "\\n", ""])
        return "\"\(name)\"" + space + ":" + space + value(depth - 1, isSecret: hides)
      }
      return "{" + members.joined(separator: space + ",") + "}"
    }
  }

  @Test func `no secret under a known name comes through, whatever the JSON's shape and wherever it was cut`() {
    let redaction = HTTPRedaction()
    var maker = Maker()
    var kept = 0
    for _ in 0..<3000 {
      let json = "{\"x\":" + maker.value(6, isSecret: false) + "}"
      let whole = Data(json.utf8)
      let bytes = whole.prefix(Int.random(in: 0...whole.count))
      let body = redaction.redactedBody(HTTPBody(bytes: bytes, size: whole.count), contentType: "application/json")
      if body.bytes != nil { kept += 1 }
      let text = body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(!text.contains("S3C"), "\(json) became \(text)")
      guard bytes.count == whole.count, body.bytes != nil else { continue }
      #expect((try? JSONSerialization.jsonObject(with: body.bytes ?? Data())) != nil, "\(text) is JSON")
    }
    #expect(kept == 3000)
  }

  @Test func `bytes of any kind are redacted without a trap`() {
    let redaction = HTTPRedaction()
    let alphabet = Array(#"{}[]":,\u%&;#=<>/ pinSx0é"#.utf8) + [0, 0xFF, 0x80]
    for _ in 0..<5000 {
      let bytes = Data((0..<Int.random(in: 0..<60)).map { _ in alphabet.randomElement() ?? 0 })
      for type in ["application/json", "application/x-www-form-urlencoded", "text/html", ""] {
        _ = redaction.redactedBody(HTTPBody(bytes: bytes, size: 60), contentType: type)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = (redaction.redactedURL(text), redaction.redactedText(text))
      _ = HTTPExchange.graphQLOperation(url: text, body: bytes, contentType: nil)
    }
  }
}
