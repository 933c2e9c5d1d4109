import Foundation
import Testing

@testable import AutoMobileCollector

/// Looking for a text in a recorded string.
@Suite struct `Texts in recorded events` {
  private func contains(_ text: String, _ needle: String) throws -> Bool {
    let json = try JSONEncoder().encode(["text": text])
    return Array(json).withUnsafeBytes { bytes in
      let members = RecordedMembers(bytes)
      return members.contains(members.value("text"), Array(needle.utf8))
    }
  }

  @Test func `every short text of two letters is found in every other one, or is not there`() throws {
    let words = (1...6).flatMap { length in
      (0..<(1 << length)).map { number in
        (0..<length).map { number >> $0 & 1 == 0 ? "a" : "b" }.joined()
      }
    }
    for text in words {
      for needle in words.prefix(62) {
        let isThere = text.utf8.count >= needle.utf8.count && Data(text.utf8).range(of: Data(needle.utf8)) != nil
        #expect(try contains(text, needle) == isThere, "\(needle) in \(text)")
      }
    }
  }

  @Test(arguments: [
    ("a\nb\"c", "\nb\"", true), ("a\nb", "nb", false), ("grüße", "üß", true), ("", "a", false), ("a", "", true),
    ("aab\u{0}c", "b\u{0}", true), ("plain", "plain text", false), ("\\", "\\", true),
  ])
  func `what is looked for is what the string says, not how JSON writes it`(text: String, needle: String, isThere: Bool)
    throws
  {
    #expect(try contains(text, needle) == isThere)
  }

  @Test func `what is no string holds nothing`() {
    for json in [#"{"text":7}"#, #"{"text":null}"#, #"{"text":["a"]}"#, #"{}"#, "", "["] {
      Array(json.utf8).withUnsafeBytes { bytes in
        let members = RecordedMembers(bytes)
        #expect(!members.contains(members.value("text"), Array("a".utf8)))
        #expect(!members.isText(members.value("text"), ""))
      }
    }
  }
}
