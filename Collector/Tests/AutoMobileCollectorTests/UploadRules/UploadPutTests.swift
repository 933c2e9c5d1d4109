import Testing

@testable import AutoMobileCollector

@Suite struct `Rules for sending in a document` {
  @Test func `a document with rules that a device takes is taken`() async throws {
    try await RunningCollector.with { collector in
      try await collector.put(
        "a",
        #"""
        {"upload":{"schema":1,"mode":"whenTriggered","keepDays":7,"bytesPerDay":5000000,"cellularBytesPerDay":-1,
          "rules":[{"name":"slow","when":{"hang":{"atLeastMs":2000}},"send":{"minutesBefore":2}}],
          "asks":[{"id":"1","user":"u-91","from":5,"to":6}]}}
        """#)
      try await collector.put("a", #"{"upload":null}"#)
      try await collector.put("a", #"{"upload":{}}"#)
      try await collector.put("a", #"{"upload":{"mode":"everything"}}"#)
    }
  }

  @Test func `everything that is wrong is told at once, with its place, and nothing is stored`() async throws {
    try await RunningCollector.with { collector in
      let answer = try await collector.tryPut(
        "a",
        #"""
        {"upload":{"mode":"never","keepDays":0,"days":3,"rules":[
          {"name":"good","when":{"crash":true}},7,{"name":"slow","when":{"hang":{"atLeastMs":-1}}},
          {"name":"good","when":{"capture":true}}],"asks":[{"id":"1"}]}}
        """#)
      #expect(answer.status == 400 && answer.errorCode == "invalid_configuration")
      let error = try answer.json()["error"]
      #expect(
        error["problems"].array.map { $0["place"].string } == [
          "upload", "upload.mode", "upload.rules[1]", "upload.rules[2].when.hang.atLeastMs", "upload.rules[3]",
          "upload.keepDays", "upload.asks[0]",
        ])
      let reasons = error["problems"].array.compactMap { $0["reason"].string }
      #expect(
        reasons[3]
          == #"upload.rules[2] ("slow").when.hang.atLeastMs: expected a number from 0.0 to 86400000.0, found -1.0"#)
      #expect(
        reasons[0]
          == #"upload: "days" is not known here: expected schema, mode, keepDays, bytesPerDay, cellularBytesPerDay, rules, asks"#
      )
      #expect(error["message"].string == reasons.joined(separator: "; "))
      #expect(try await collector.json("/api/config/a")["version"].int == 0)
    }
  }

  @Test func `screen and bodies are left out where a rule says so, and by nothing but true and false`() throws {
    func rules(_ send: JSONTree) -> UploadSection {
      UploadSection(.object(["rules": [.object(["name": "x", "when": ["crash": true], "send": send])]]))
    }
    let (usual, bare) = (
      rules([:]).rules.first?.rule.send, rules(["replay": false, "bodies": false]).rules.first?.rule.send
    )
    #expect(usual?.replay == true && usual?.bodies == true && bare?.replay == false && bare?.bodies == false)
    #expect(rules(["replay": .null, "bodies": .null]).rules.first?.rule.send == usual)
    for (value, found) in [(1, "1"), ("no", "\"no\""), ([], "an array of 0")] as [(JSONTree, String)] {
      for name in ["replay", "bodies"] {
        let section = rules(.object([name: value]))
        #expect(
          section.problems.map(\.reason) == [
            "upload.rules[0] (\"x\").send.\(name): expected true or false, found \(found)"
          ])
        #expect(section.problems.map(\.place) == ["upload.rules[0].send.\(name)"] && section.rules.isEmpty)
      }
    }
  }

  @Test func `rules are looked at whatever the mode is: they will be in force later`() async throws {
    try await RunningCollector.with { collector in
      for mode in [#""mode":"everything","#, ""] {
        let answer = try await collector.tryPut("a", #"{"upload":{\#(mode)"rules":[{"name":"x"}]}}"#)
        #expect(answer.status == 400)
      }
    }
  }

  @Test func `a thousand rules are refused in a bounded answer`() async throws {
    try await RunningCollector.with { collector in
      let rules = (0..<1000).map { _ in "7" }.joined(separator: ",")
      let answer = try await collector.tryPut("a", #"{"upload":{"rules":[\#(rules)]}}"#)
      let error = try answer.json()["error"]
      #expect(error["problems"].array.count == 4 * 64 + 1)
      #expect(error["message"].string?.hasSuffix("; and 249 more") == true)
      #expect(
        error["problems"].array.first?["reason"].string
          == "upload.rules: 744 more after the first 256 were not looked at")
    }
  }
}
