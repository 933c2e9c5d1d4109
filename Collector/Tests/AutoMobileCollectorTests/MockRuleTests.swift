import Testing

@testable import AutoMobileCollector

@Suite struct `Mock rules in a document` {
  @Test func `rules with everything are taken`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put(
        "a",
        #"""
        {"mocks":[
          {"id":"a","match":{"method":"POST","host":"*.example.com","path":"/v1/*","headers":{"X":"1"},"bodyContains":"z"},
           "respond":{"status":503,"headers":{"A":"b"},"body":"AP8=","bodyEncoding":"base64","delayMs":250},
           "count":3,"expiresAt":1700000000000},
          {"id":"b","match":{"path":{"regex":"^/x"}},"respond":{"failure":"timedOut"}},
          {"id":"c","respond":{"passthrough":true,"delayMs":5},"match":null,"count":null}]}
        """#)
      try await collector.put("a", #"{"mocks":[]}"#)
    }
  }

  @Test(arguments: [
    (#"{}"#, "mocks must be an array"), (#"[7]"#, "mocks[0] must be an object"),
    (#"[{"respond":{"status":200}}]"#, "mocks[0].id"),
    (#"[{"id":"a"}]"#, "mocks[0].respond must be an object"),
    (#"[{"id":"a","respond":{}}]"#, "mocks[0].respond.status"),
    (#"[{"id":"a","respond":{"status":199}}]"#, "mocks[0].respond.status"),
    (#"[{"id":"a","respond":{"failure":"gremlins"}}]"#, "one of badServerResponse"),
    (#"[{"id":"a","respond":{"status":200,"body":"?","bodyEncoding":"base64"}}]"#, "mocks[0].respond.body"),
    (#"[{"id":"a","respond":{"status":200,"bodyEncoding":"gzip"}}]"#, "bodyEncoding"),
    (#"[{"id":"a","respond":{"status":200,"delayMs":-1}}]"#, "delayMs"),
    (#"[{"id":"a","respond":{"passthrough":1}}]"#, "passthrough"),
    (#"[{"id":"a","match":{"path":{"regex":"(["}},"respond":{"status":200}}]"#, "mocks[0].match.path.regex"),
    (#"[{"id":"a","match":{"path":{}},"respond":{"status":200}}]"#, "mocks[0].match.path.regex"),
    (#"[{"id":"a","match":{"headers":{"a":1}},"respond":{"status":200}}]"#, "mocks[0].match.headers.a"),
    (#"[{"id":"a","respond":{"status":200},"count":0}]"#, "mocks[0].count"),
    (#"[{"id":"a","respond":{"status":200}},{"id":"a","respond":{"status":200}}]"#, "mocks[1].id"),
  ])
  func `a rule that an app would refuse is refused before, with its place`(mocks: String, expected: String) async throws
  {
    try await RunningCollector.with { collector in
      let answer = try await collector.tryPut("a", #"{"mocks":\#(mocks)}"#)
      #expect(answer.status == 400 && answer.errorCode == "invalid_configuration")
      #expect(answer.text.contains(expected), "\(answer.text)")
    }
  }
}
