import Foundation
import Testing

@testable import AutoMobileRecorder
@testable import AutoMobileRequests

@Suite struct MocksSectionTests {
  private func section(_ json: String) throws -> MocksSection {
    try MocksSection(ControlValue("mocks", try JSONDecoder().decode(MetadataValue.self, from: Data(json.utf8))))
  }

  @Test func `a collector's rules have everything that the app's own have`() throws {
    let json = """
      [{"id":"a","match":{"method":"POST","host":"*.example.com","path":"/v1/*","headers":{"X":"1"},"bodyContains":"z"},
        "respond":{"status":503,"headers":{"Retry-After":"1"},"body":"AP8=","bodyEncoding":"base64","delayMs":250},
        "count":3,"expiresAt":1700000000000},
       {"id":"b","match":{"path":{"regex":"^/x"}},"respond":{"failure":"timedOut"},"note":"later"},
       {"id":"c","respond":{"passthrough":true,"delayMs":5}}]
      """
    let rules = try section(json).rules
    #expect(
      rules == [
        NetworkMockRule(
          id: "a", method: "POST", host: "*.example.com", path: .glob("/v1/*"), headers: ["X": "1"], bodyContains: "z",
          response: .response(status: 503, headers: ["Retry-After": "1"], body: Data([0, 0xFF])), delayMs: 250,
          count: 3,
          expires: Date(timeIntervalSince1970: 1_700_000_000)),
        NetworkMockRule(id: "b", path: .regex("^/x"), response: .failure(.timedOut)),
        NetworkMockRule(id: "c", response: .passthrough, delayMs: 5),
      ])
  }

  @Test(arguments: [
    (#"{"id":"a"}"#, "mocks: expected an array"), (#"[{"respond":{"status":200}}]"#, "mocks[0].id"),
    (#"[{"id":"a"}]"#, "mocks[0].respond: expected a status"),
    (#"[{"id":"a","respond":{"status":99}}]"#, "mocks[0].respond.status"),
    (#"[{"id":"a","respond":{"failure":"gremlins"}}]"#, "mocks[0].respond.failure: expected one of badServerResponse"),
    (#"[{"id":"a","respond":{"status":200,"delayMs":999999}}]"#, "delayMs"),
    (#"[{"id":"a","respond":{"status":200,"body":"?","bodyEncoding":"base64"}}]"#, "not base64"),
    (#"[{"id":"a","respond":{"status":200,"bodyEncoding":"zip"}}]"#, "bodyEncoding"),
    (#"[{"id":"a","match":{"path":{"regex":"(["}},"respond":{"status":200}}]"#, "not a regular expression"),
    (#"[{"id":"a","match":{"headers":{"a":1}},"respond":{"status":200}}]"#, "match.headers.a"),
    (#"[{"id":"a","match":7,"respond":{"status":200}}]"#, "mocks[0].match"),
    (#"[{"id":"a","respond":{"status":200},"count":0}]"#, "count"),
    (#"[{"id":"a","respond":{"status":200}},{"id":"a","respond":{"status":200}}]"#, "same id"),
  ])
  func `what is wrong with a rule is told with its place`(json: String, expected: String) throws {
    let error = try #require(throws: ControlError.self) { try section(json) }
    #expect(error.description.contains(expected), "\(error)")
  }

  @Test func `sixty-four rules are taken, and no more`() throws {
    func rules(_ count: Int) -> String {
      "[" + (0..<count).map { #"{"id":"\#($0)","respond":{"status":200}}"# }.joined(separator: ",") + "]"
    }
    #expect(try section(rules(64)).rules.count == 64)
    #expect(throws: ControlError.self) { try section(rules(65)) }
    #expect(MocksSection().rules.isEmpty)
  }

  @Test func `globs take time in proportion, whatever the pattern`() {
    #expect(Glob("a*b?c*").matches("axxbbyc") && !Glob("a*b?c*").matches("axxbyyc"))
    #expect(Glob("a*b?c*").matches("axxbycz"))
    #expect(Glob("*").matches("") && Glob("").matches("") && !Glob("").matches("a") && !Glob("?").matches(""))
    let pattern = String(repeating: "*a", count: 500) + "*b"
    #expect(!Glob(pattern).matches(String(repeating: "a", count: 4000)))
  }
}
