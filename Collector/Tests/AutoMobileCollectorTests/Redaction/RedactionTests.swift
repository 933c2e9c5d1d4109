import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Redaction` {
  private static func find(_ pattern: RedactionPattern, _ text: String) -> [String] {
    Array(text.utf8).withUnsafeBytes { bytes in
      PatternFinder.find([pattern], in: bytes).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }
  }

  @Test(
    arguments: [
      (.email, "write to mira@example.com.", ["mira@example.com"]),
      (.email, "a.b+c@mail.example.co.uk,x@y", ["a.b+c@mail.example.co.uk"]),
      (.email, "?user=mira%40example.com&x=1", ["mira%40example.com"]),
      (.email, "мира@пример.рф", ["мира@пример.рф"]),
      (.email, "@example.com a@b a@.com a@b. @@@", []),
      (.card, "card 4111 1111 1111 1111 2024", ["4111 1111 1111 1111"]),
      (.card, "4111-1111-1111-1111", ["4111-1111-1111-1111"]), (.card, "378282246310005;", ["378282246310005"]),
      (.card, "4111111111111112 1700000000000000 x4111111111111111 41111111111111111111111", []),
      (.token, "Authorization: Bearer abc.def-ghi_jkl==", ["abc.def-ghi_jkl=="]),
      (.token, "basic dXNlcjpwYXNz", ["dXNlcjpwYXNz"]), (.token, "Bearer%20abcdefgh12", ["abcdefgh12"]),
      (
        .token, "t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl!",
        ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"]
      ),
      (.token, "eyJ.eyJ bearer of bad news, the basics", []),
      (.iban, "to DE89 3704 0044 0532 0130 00 today", ["DE89 3704 0044 0532 0130 00"]),
      (.iban, "GB82WEST12345698765432", ["GB82WEST12345698765432"]), (.iban, "DE88370400440532013000 AB12", []),
      (.ip, "from 192.0.2.60:80 and 2001:db8::1, ::1", ["192.0.2.60", "2001:db8::1", "::1"]),
      (.ip, "[fe80::1ff:fe23:4567:890a] ::ffff:192.0.2.1", ["fe80::1ff:fe23:4567:890a", "::ffff:192.0.2.1"]),
      (.ip, "at 12:34:56, 1.2.3, 1.2.3.4.5, 256.1.1.1, v1.2.3.4, std::vector, 16:9", []),
      (.phone, "call +49 30 123456 or +1 (555) 010-9999.", ["+49 30 123456", "+1 (555) 010-9999"]),
      (.phone, "+0301234567 1+15550109999 +123 4+5=9 x+15550109999", []),
    ] as [(RedactionPattern, String, [String])])
  func `patterns are found where they are, and nowhere else`(pattern: RedactionPattern, text: String, found: [String]) {
    #expect(Self.find(pattern, text) == found)
  }

  private static func rules(_ patterns: [RedactionPattern] = [], fields: [String] = []) -> RedactionRules {
    var rules = RedactionRules()
    for what in patterns.map(RedactionRule.What.pattern) + fields.map(RedactionRule.What.field) {
      rules.add(
        RedactionRule(
          id: Int64(rules.patterns.count + rules.fields.count + 1), project: nil, what: what, createdAt: 0,
          createdBy: "", redacted: 0))
    }
    return rules
  }

  private static func redact(_ text: String, _ rules: RedactionRules) -> String {
    var counts: RedactionCounts = [:]
    let bytes = Array(text.utf8)
    let redacted = bytes.withUnsafeBytes { JSONRedactor.redact($0, by: rules, maximumDepth: 32, &counts) }
    #expect((redacted == nil) == counts.isEmpty)
    return redacted.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  @Test(arguments: [
    (
      #"{"Password":"x","a":{"password":{"b":[1,2]}},"passwords":"y"}"#,
      #"{"Password":"[redacted]","a":{"password":"[redacted]"},"passwords":"y"}"#
    ),
    (
      #"{"url":"https://a.b/c?token=abc&x=1#token=2"}"#,
      #"{"url":"https://a.b/c?token=[redacted]&x=1#token=[redacted]"}"#
    ),
    (
      #"{"requestHeaders":{"X-Secret":"s","Accept":"*/*"}}"#,
      #"{"requestHeaders":{"X-Secret":"[redacted]","Accept":"*/*"}}"#
    ),
    (
      #"{"headers":[{"name":"X-Secret","value": "s"},{"name":"A","value":"b"}]}"#,
      #"{"headers":[{"name":"X-Secret","value": "[redacted]"},{"name":"A","value":"b"}]}"#
    ),
    // JSON in a string, whole and cut off; with numbers and objects; and JSON in JSON in a string.
    (
      #"{"body":"{\"password\":\"a\\\"b\",\"n\":1,\"pin\": 1234}"}"#,
      #"{"body":"{\"password\":\"[redacted]\",\"n\":1,\"pin\": \"[redacted]\"}"}"#
    ),
    (#"{"body":"{\"password\":{\"x\":[\"}\"]},\"n\":2}"}"#, #"{"body":"{\"password\":\"[redacted]\",\"n\":2}"}"#),
    (#"{"body":"{\"a\":1,\"password\":\"secr"}"#, #"{"body":"{\"a\":1,\"password\":\"[redacted]"}"#),
    (
      #"{"body":"{\"inner\":\"{\\\"password\\\":\\\"deep\\\",\\\"b\\\":1}\"}"}"#,
      #"{"body":"{\"inner\":\"{\\\"password\\\":\\\"[redacted]\\\",\\\"b\\\":1}\"}"}"#
    ),
    (#"{"body":"user=a&password=b%20c&d=e"}"#, #"{"body":"user=a&password=[redacted]&d=e"}"#),
    (#"{"text":"X-Secret: a b c\r\nAccept: d"}"#, #"{"text":"X-Secret: [redacted]\u000d\nAccept: d"}"#),
    (
      #"{"n":4111111111111111,"t":1700000000000,"u":5500005555555559}"#,
      #"{"n":"[redacted:card]","t":1700000000000,"u":"[redacted:card]"}"#
    ),
    (#"{"mira@example.com":1,"e":"\u006dira@example.com"}"#, #"{"[redacted:email]":1,"e":"[redacted:email]"}"#),
    (
      #"{"sessionId":"4111111111111111","userId":"mira@example.com","launchId":"mira@example.com"}"#,
      #"{"sessionId":"4111111111111111","userId":"[redacted:email]","launchId":"[redacted:email]"}"#
    ),
    // No JSON: a text.
    (#"{"password":"x" mira@example.com"#, #"{"password":"[redacted]" [redacted:email]"#),
    ("{}", "{}"),
  ])
  func `JSON stays JSON, and nothing of what is named is left`(json: String, wanted: String) {
    let rules = Self.rules([.email, .card], fields: ["password", "PIN", "token", "x-secret"])
    #expect(Self.redact(json, rules) == wanted)
    // Once is enough, and what is sent again is not counted again.
    #expect(Self.redact(wanted, rules) == wanted)
  }

  /// Each is of a kind that a careless matcher takes a square of its length for: of these that would be minutes.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "@", "a@", "%40", "+1", "4111 ", "eyJ", "eyJ-", "bearer ", "1.", ":", "a:", "DE89", "\"password\":", "password=",
      "password: ",
      "{\"password\":[", "\\\"", "%25", "%2525", "1+", "\\u0040", "\\", "\\\\\\\\u0", "password[", "password]=",
      "[password][",
      "password=;", "password=a;", ";a=", "password=\"", "password=\\\"x", "%22password%22%3A", "a%3A", "4111+1111+",
    ])
  func `a hostile text is passed over once`(piece: String) {
    let rules = Self.rules(RedactionPattern.allCases, fields: ["password"])
    let text = Array(String(repeating: piece, count: (96 << 10) / piece.utf8.count).utf8)
    text.withUnsafeBytes { bytes in
      #expect(TextRedactor(rules: rules).edits(in: bytes).allSatisfy { $0.range.upperBound <= bytes.count })
    }
  }

  private static func positions(of batch: CheckedBatch) -> [UInt64] {
    batch.body.withUnsafeReadableBytes { bytes in
      guard var (_, offset) = try? BatchHeader.split(bytes) else { return [] }
      var found: [UInt64] = []
      while case .record(_, let position, _, let next) = RecordCodec(launch: batch.launch).parse(bytes, at: offset) {
        found.append(position)
        offset = next
      }
      return found
    }
  }

  @Test func `records are written anew with their checksums, at their positions`() throws {
    var batch = RawBatch()
    batch.addContext(1, session: "s", user: "mira@example.com")
    batch.addLog("nothing here")
    batch.addLog("mail mira@example.com, \\\"and\\\" bob@example.com")
    batch.add(.event, "{\"eventType\":\"log\",broken mira@example.com")
    let checked = try CheckedBatch(raw: batch.body())
    var counts: RedactionCounts = [:]
    let redacted = checked.redacted(by: Self.rules([.email]), maximumDepth: 64, &counts)
    #expect(counts == [1: 4])
    let again = try CheckedBatch(raw: redacted.body)
    #expect(again.events == checked.events && again.launch == checked.launch)
    #expect(Self.positions(of: again) == Self.positions(of: checked) && Self.positions(of: again).count == 4)
    #expect(!String(buffer: redacted.body).contains("@example.com"))
    #expect(String(buffer: redacted.body).contains("nothing here"))
    #expect(checked.redacted(by: Self.rules([.iban]), maximumDepth: 64, &counts).body == checked.body)
  }

  @Test func `nothing that a rule names gets to the disk, by any way in`() async throws {
    let directory = try TemporaryDirectory()
    let mark = "secretzq7f3kx"
    try await RunningCollector.with(directory: directory.url) { collector in
      for body in [
        "{\"pattern\":\"email\"}", "{\"field\":\"password\"}",
        "{\"project\":\"dev.example.bank\",\"pattern\":\"iban\"}",
      ] {
        #expect(try await collector.post("/api/redactions", body).status == 200)
      }
      var batch = RawBatch()
      batch.addContext(1, session: "raw", user: "\(mark)@example.com", tags: ["mail": "\(mark)@example.com"])
      batch.addLog("mail \(mark)@example.com DE89370400440532013000")
      batch.add(.breadcrumb, "{\"timestamp\":1700000000.25,\"message\":\"\(mark)@example.com\"}")
      batch.add(
        .event,
        """
        {"eventType":"network_request","timestamp":1700000000000,"contextId":1,"method":"POST","durationMs":3,"statusCode":200,\
        "url":"https://api.example/a?password=\(mark)&to=\(mark)%40example.com","requestHeaders":{"Password":"\(mark)"},\
        "requestBody":"{\\"password\\":\\"\(mark)\\"}","responseBody":"password=\(mark)"}
        """)
      batch.add(.event, "{\"eventType\":\"log\",\"password\":\"\(mark)\",broken")
      try await collector.post(raw: batch)
      try await collector.post(
        envelope: envelope(["{\"eventType\":\"log\",\"timestamp\":1700000000000,\"message\":\"\(mark)@example.com\"}"]))
      let otlp = """
        {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"dev.example.bank"}}]},"scopeLogs":[{"logRecords":[\
        {"timeUnixNano":"1700000000000000000","body":{"stringValue":"\(mark)@example.com GB82WEST12345698765432"},\
        "attributes":[{"key":"password","value":{"stringValue":"\(mark)"}}]}]}]}]}
        """
      #expect(try await collector.post("/v1/logs", otlp).status == 200)
      let sender = ReplaySender(collector: collector, replay: "r", sessions: ["raw"])
      let fault = try await sender.post(
        "fault",
        [
          "incidentId": .string("i"), "timestampMs": .integer(ReplaySender.start), "category": .string("crash"),
          "detail": .string("\(mark)@example.com"), "context": .object(["password": .string(mark)]),
        ])
      #expect(fault.status == 200)
      try await collector.waitForLaunch(batch.launch, stored: 2)
      try await collector.wait(for: "/api/events") { $0["events"].array.count >= 4 }
      // What asks for the envelopes as they came gets none of those that rules are for.
      #expect(try await collector.get("/sdk-events").text == "[]")
      #expect(try FileSearch.files(in: directory.url, with: mark) == [])
      let event = try await collector.json("/api/events?q=DE89370400440532013000")["events"][0]
      #expect(event["payload"]["message"].string == "mail [redacted:email] DE89370400440532013000")
      #expect(try await collector.json("/api/events?q=GB82WEST12345698765432")["events"].array.isEmpty)
      let rules = try await collector.json("/api/redactions")["rules"].array
      #expect(rules.count == 3 && rules.allSatisfy { $0["redacted"].int ?? 0 > 0 }, "\(rules)")

      let tried = try await collector.post(
        "/api/redactions/test", "{\"text\":\"a@example.com +49 30 123456\",\"patterns\":[\"phone\"]}"
      ).json()
      #expect(tried["text"].string == "[redacted:email] [redacted:phone]" && tried["redacted"].int == 2)
      for (body, code) in [
        ("{}", "invalid_rule"), ("{\"pattern\":\"x\"}", "invalid_pattern"),
        ("{\"pattern\":\"ip\",\"field\":\"a\"}", "invalid_rule"),
        ("{\"field\":\"a b\"}", "invalid_field"), ("{\"field\":\"eventType\"}", "invalid_field"),
        ("{\"field\":\"\(String(repeating: "a", count: 65))\"}", "invalid_field"),
      ] {
        #expect(try await collector.post("/api/redactions", body).errorCode == code, "\(body)")
      }
      let id = rules[0]["id"].int ?? 0
      #expect(try await collector.send(.DELETE, "/api/redactions/\(id)").status == 200)
      #expect(try await collector.send(.DELETE, "/api/redactions/\(id)").status == 404)
    }
    #expect(try FileSearch.files(in: directory.url, with: mark) == [])
    // It is remembered.
    try await RunningCollector.with(directory: directory.url) { collector in
      let rules = try await collector.json("/api/redactions")["rules"].array
      #expect(rules.count == 2)
    }
  }

  @Test func `an operator of one project decides about its rules, and sees those of all`() async throws {
    try await RunningCollector.with({ ($0.ingestKeys, $0.operatorKeys) = (["start-key-1"], ["operator-of-all"]) }) {
      collector in
      let all = [("X-API-Key", "operator-of-all")]
      let project =
        try await collector.post("/api/projects", "{\"bundleId\":\"dev.example.shop\"}", headers: all).json()["id"].int
        ?? 0
      let key = try await collector.post("/api/keys", "{\"project\":\(project),\"role\":\"operator\"}", headers: all)
        .json()["key"].string
      let shop = [("X-API-Key", key ?? "")]
      func code(_ body: String) async throws -> String? {
        try await collector.post("/api/redactions", body, headers: shop).errorCode
      }
      #expect(try await code("{\"pattern\":\"email\"}") == "project_only")
      #expect(try await code("{\"pattern\":\"email\",\"project\":\"dev.example.bank\"}") == "other_project")
      #expect(try await code("{\"pattern\":\"email\",\"project\":\"dev.example.shop\"}") == nil)
      for body in ["{\"pattern\":\"ip\"}", "{\"pattern\":\"ip\",\"project\":\"dev.example.bank\"}"] {
        #expect(try await collector.post("/api/redactions", body, headers: all).status == 200)
      }
      let seen = try await collector.get("/api/redactions", headers: shop).json()["rules"].array
      #expect(Set(seen.map { $0["project"].string ?? "all" }) == ["dev.example.shop", "all"])
      #expect(try await collector.send(.DELETE, "/api/redactions/2", headers: shop).status == 403)
      #expect(try await collector.send(.DELETE, "/api/redactions/3", headers: shop).status == 404)
      #expect(try await collector.send(.DELETE, "/api/redactions/1", headers: shop).status == 200)
    }
  }
}
