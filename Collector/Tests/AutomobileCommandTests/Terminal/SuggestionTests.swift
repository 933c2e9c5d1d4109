import Foundation
import Testing

@testable import automobile

@Suite struct Suggestions {
  private static let names = ["sessions", "searches", "show", "network", "doctor", "com.example.shop", "issues"]

  @Test(arguments: [
    ("sesions", "sessions"), ("shwo", "show"), ("netwokr", "network"), ("NET", "network"), ("shop", "show"),
    ("example.shop", "com.example.shop"), ("doctors", "doctor"), ("isues", "issues"),
    ("x", nil), ("", nil), ("banana", nil), ("show", nil), ("sessions-of-yesterday-evening", "sessions"),
  ])
  func `what is near is found, and nothing else`(word: String, name: String?) {
    let names = word == "show" ? ["show", "network"] : Self.names
    #expect(Suggestion.nearest(to: word, among: names) == name)
  }

  @Test func `long words and many names take no time`() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.nearest(to: long, among: Self.names) == nil)
    #expect(Suggestion.nearest(to: "netwrk", among: Array(repeating: long, count: 5000) + ["network"]) == nil)
    #expect(Suggestion.nearest(to: "netwrk", among: [long, "network"]) == "network")
  }

  @Test(arguments: [
    (#"{"log":{"version":"1.2","creator":{"name":"A"},"pages":[],"entries":["# + "\n]}}\n", 0),
    (#"{"log":{"creator":{"name":"A"},"pages":[],"entries":[{"request":{"a":[{}]}},{"x":"},{\"}{"}]}}"#, 2),
  ])
  func `entries of an archive are counted in pieces of any size`(text: String, count: Int) {
    for size in [1, 3, 1000] {
      var counter = HAREntryCount()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        counter.read(rest.prefix(size))
        rest = rest.dropFirst(size)
      }
      #expect(counter.count == count)
    }
  }
}
