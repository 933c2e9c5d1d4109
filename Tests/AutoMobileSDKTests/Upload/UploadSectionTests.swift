import Foundation
import Testing

@testable import AutoMobileRecorder

/// What a collector says about what is sent.
@Suite struct UploadSectionTests {
  private func section(_ json: String) throws -> UploadSection {
    let value = try JSONDecoder().decode(MetadataValue.self, from: Data(json.utf8))
    return try UploadSection(ControlValue("upload", value))
  }

  private func rules(_ json: String) throws -> (rules: [UploadRule], refused: [String]) {
    let section = try section(#"{"schema":1,"mode":"whenTriggered","rules":[\#(json)]}"#)
    guard case .whenTriggered(let rules)? = section.policy else { return ([], ["no rules"]) }
    return (rules.rules, section.refused)
  }

  @Test func `every kind of rule is read`() throws {
    let (read, refused) = try rules(
      #"""
      {"name":"a","when":{"crash":true}},{"name":"b","when":{"hang":{"atLeastMs":2000}}},
      {"name":"c","when":{"unexpectedEnd":true}},{"name":"d","when":{"handledFailure":true}},
      {"name":"e","when":{"request":{"host":"*.example.com","path":"/api","method":"POST","status":"5xx",
        "atLeastMs":3000,"failed":true}}},
      {"name":"f","when":{"rageTap":true}},{"name":"g","when":{"deadTap":true}},
      {"name":"h","when":{"slowLaunch":{"atLeastMs":3000}}},{"name":"i","when":{"frozenFrames":{"atLeast":5}}},
      {"name":"j","when":{"log":{"level":"error","tag":"net"}}},
      {"name":"k","when":{"event":{"type":"custom","name":"purchase","where":[
        {"field":"properties.plan","equals":"pro"},{"field":"properties.n","atLeast":2}]}}},
      {"name":"l","when":{"capture":true},"send":{"minutesBefore":60,"minutesAfter":0.5,"perDay":10,"priority":9}},
      {"name":"m","when":{"sessions":{"fraction":0.02}}},{"name":"n","when":{"request":{"status":"500-503"}}},
      {"name":"o","when":{"request":{"status":404}}}
      """#)
    #expect(refused == [])
    #expect(
      read.map(\.when) == [
        .crash, .hang(atLeastMs: 2000), .unexpectedEnd, .handledFailure,
        .request(
          UploadRequest(
            host: "*.example.com", pathPrefix: "/api", method: "POST", status: 500...599, atLeastMs: 3000, failed: true)
        ),
        .rageTap, .deadTap, .slowLaunch(atLeastMs: 3000), .frozenFrames(atLeast: 5), .log(atLeast: .error, tag: "net"),
        .event(
          UploadEvent(
            type: .custom, name: "purchase",
            where: [
              UploadCondition("properties.plan", .equals("pro")), UploadCondition("properties.n", .atLeast(2)),
            ])),
        .capture, .sessions(fraction: 0.02), .request(UploadRequest(status: 500...503)),
        .request(UploadRequest(status: 404...404)),
      ])
    #expect(read[11].send == UploadSpan(minutesBefore: 60, minutesAfter: 0.5, perDay: 10, priority: 9))
    #expect(read[0].send == UploadSpan())
  }

  @Test func `a rule says whether bodies go, and nothing but yes or no`() throws {
    let (read, refused) = try rules(
      #"""
      {"name":"a","when":{"crash":true},"send":{"bodies":false}},{"name":"b","when":{"crash":true},"send":{"bodies":true}},
      {"name":"c","when":{"crash":true},"send":{"bodies":null}},{"name":"d","when":{"crash":true},"send":{"bodies":"no"}},
      {"name":"e","when":{"crash":true},"send":{"bodies":0}}
      """#)
    #expect(read.map(\.name) == ["a", "b", "c"] && read.map(\.send.bodies) == [false, true, true])
    #expect(
      refused == [
        #"upload.rules[3] ("d").send.bodies: expected true or false, found "no""#,
        #"upload.rules[4] ("e").send.bodies: expected true or false, found 0"#,
      ])
  }

  @Test(arguments: [
    (#"7"#, "upload.rules[1]: expected an object with name, when and send"),
    (#"{"when":{"crash":true}}"#, "upload.rules[1].name: expected a text of 1 to 80 bytes, found none"),
    (
      #"{"name":"x","when":{"crash":true},"only":1}"#,
      #"upload.rules[1] ("x"): "only" is not known here: expected name, when, send"#
    ),
    (
      #"{"name":"x","when":{"regex":".*"}}"#,
      #"upload.rules[1] ("x").when: expected an object with one of crash, hang, unexpectedEnd, handledFailure, request, rageTap, deadTap, slowLaunch, frozenFrames, log, event, capture, sessions"#
    ),
    (#"{"name":"x","when":{"crash":1}}"#, #"upload.rules[1] ("x").when.crash: expected true"#),
    (
      #"{"name":"x","when":{"hang":{"atLeastMs":-1}}}"#,
      #"upload.rules[1] ("x").when.hang.atLeastMs: expected a number from 0.0 to 86400000.0, found -1.0"#
    ),
    (
      #"{"name":"x","when":{"hang":{}}}"#,
      #"upload.rules[1] ("x").when.hang.atLeastMs: expected a number from 0.0 to 86400000.0, found none"#
    ),
    (
      #"{"name":"x","when":{"request":{"status":"abc"}}}"#,
      #"upload.rules[1] ("x").when.request.status: expected a status such as 404, "5xx" or "500-503""#
    ),
    (
      #"{"name":"x","when":{"request":{"status":"503-500"}}}"#,
      #"upload.rules[1] ("x").when.request.status: expected a status such as 404, "5xx" or "500-503""#
    ),
    (
      #"{"name":"x","when":{"request":{}}}"#,
      #"upload.rules[1] ("x").when.request: expected an object that says which requests"#
    ),
    (
      #"{"name":"x","when":{"event":{"where":[{"field":"a","matches":".*"}]}}}"#,
      #"upload.rules[1] ("x").when.event.where[0]: "matches" is not known here: expected field, equals, contains, atLeast, atMost"#
    ),
    (
      #"{"name":"x","when":{"event":{"where":[1,2,3,4,5]}}}"#,
      #"upload.rules[1] ("x").when.event.where: expected an array of at most 4 elements, found an array of 5"#
    ),
    (
      #"{"name":"x","when":{"event":{"type":"nonsense"}}}"#,
      #"upload.rules[1] ("x").when.event.type: "nonsense" is no type of events that is known here"#
    ),
    (
      #"{"name":"x","when":{"crash":true},"send":{"minutesBefore":61}}"#,
      #"upload.rules[1] ("x").send.minutesBefore: expected a number from 0.0 to 60.0, found 61.0"#
    ),
    (
      #"{"name":"x","when":{"crash":true},"send":{"perDay":0}}"#,
      #"upload.rules[1] ("x").send.perDay: expected a whole number from 1 to 1000, found 0"#
    ),
    (
      #"{"name":"x","when":{"sessions":{"fraction":1e999}}}"#, ""
    ),
    (#"{"name":"first","when":{"crash":true}}"#, #"upload.rules[1] ("first"): a rule before it has the same name"#),
  ])
  func `a rule with something wrong in it is refused by itself, with place and reason`(json: String, reason: String)
    throws
  {
    let all = #"{"name":"first","when":{"rageTap":true}},\#(json),{"name":"last","when":{"capture":true}}"#
    guard !reason.isEmpty else {
      // No JSON at all: the document is refused before.
      #expect(throws: (any Error).self) { try rules(all) }
      return
    }
    let (read, refused) = try rules(all)
    #expect(read.map(\.name) == ["first", "last"])
    #expect(refused == [reason])
  }

  @Test func `of a thousand rules, sixty-four count, and the others are counted`() throws {
    let many = (0..<1000).map { #"{"name":"\#($0)","when":{"crash":true}}"# }.joined(separator: ",")
    let (read, refused) = try rules(many)
    #expect(read.count == 64)
    #expect(refused.count == 4 * 64 - 64 + 1)
    #expect(refused.first == "upload.rules[64]: there are 64 rules before it, and no more count")
    #expect(refused.last == "upload.rules: 744 more after the first 256 were not looked at")
    #expect(ControlRefusals(refused).messages.count == 9)
  }

  @Test func `a section without a mode leaves the app's configuration alone, and an odd one is refused as a whole`()
    throws
  {
    #expect(try section("{}") == UploadSection())
    #expect(try section(#"{"mode":"everything"}"#).policy == .everything)
    for json in [
      #"{"mode":"sometimes"}"#, #"{"schema":2}"#, #"{"mode":7}"#, "[]", #"{"mode":"whenTriggered","rules":{}}"#,
    ] {
      #expect(throws: ControlError.self) { try section(json) }
    }
    let budgets = try section(
      #"{"mode":"whenTriggered","keepDays":3,"bytesPerDay":1000000,"cellularBytesPerDay":0,"rules":[]}"#)
    #expect(
      budgets.policy == .whenTriggered(UploadRules([], keepDays: 3, bytesPerDay: 1_000_000, cellularBytesPerDay: 0)))
  }

  @Test func `asks are read, and odd ones refused one by one`() throws {
    let read = try section(
      #"""
      {"asks":[{"id":"1","session":"s","from":5,"to":9,"reason":"a ticket"},{"id":"2","user":"u"},
        {"id":"3","device":"d","priority":9},{"id":"4","appVersion":"1.2"},
        {"id":"5"},{"id":"6","user":"u","device":"d"},{"id":"7","user":"u","from":9,"to":5},{"id":"1","user":"x"}]}
      """#)
    #expect(read.asks.map(\.subject) == [.session("s"), .user("u"), .device("d"), .appVersion("1.2")])
    #expect(read.asks[0].from == 5 && read.asks[0].to == 9 && read.asks[1].to == .max)
    #expect(
      read.refused == [
        #"upload.asks[4] ("5"): expected one of session, user, device, appVersion"#,
        #"upload.asks[5] ("6"): expected one of session, user, device, appVersion"#,
        #"upload.asks[6] ("7"): from is later than to"#, #"upload.asks[7] ("1"): an ask before it has the same id"#,
      ])
    let many = (0..<100).map { #"{"id":"\#($0)","user":"u"}"# }.joined(separator: ",")
    #expect(try section(#"{"asks":[\#(many)]}"#).asks.count == UploadAsk.maximum)
  }
}
