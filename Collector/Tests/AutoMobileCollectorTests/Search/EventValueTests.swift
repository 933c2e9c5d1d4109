import Testing

@testable import AutoMobileCollector

@Suite struct `Texts in the values of events` {
  private static let event = #"""
    {"eventType":"network_request","sessionId":"secret","url":"https:\/\/api.example\/a\"b","statusCode":503,"retried":true,
     "headers":[{"name":"X-Mood","value":"Très BON"}],"context":{"userId":"mira","device":{"model":"iPhone16,2"}},"body":null}
    """#

  private static func holds(_ text: String) -> Bool {
    var event = event
    return event.withUTF8 { EventValues.holds(text, in: UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: ["503", "network_REQ", "https://api", "a\"b", "mood", "Très bon", "true", "example/a"])
  func `what an event says is found, as it was meant and whatever its case`(text: String) {
    #expect(Self.holds(text))
  }

  @Test(arguments: [
    "statusCode", "headers", "name", "value", "model", "mira", "secret", "iPhone16", "TRÈS", "X-Mood Très", "null",
  ])
  func `what its members are called is not, nor what it only belongs to`(text: String) {
    #expect(!Self.holds(text))
  }

  @Test(arguments: [
    ("", "", true), ("a", "", false), ("aab", "aaab", true), ("abab", "abaabab", true), ("abab", "ababa", true),
    ("abc", "ABABC", true), ("abcd", "abcabcabc", false),
  ])
  func `bytes are found wherever they begin`(text: String, place: String, isThere: Bool) {
    #expect(ByteFinder(text).isIn(Array(place.utf8)) == isThere)
  }
}
