import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `The query language` {
  private static func with(
    fullText: Bool = true, _ body: @Sendable (RunningCollector, SearchCases) async throws -> Void
  ) async throws {
    let table = try SearchCases()
    try await RunningCollector.with { options in
      options.fullTextSearch = fullText
    } _: { collector in
      try await send(table, to: collector)
      // Names of functions come a moment later.
      _ = try await collector.wait(for: "/api/issues?q=submit_order") { $0["issues"].array.count == 1 }
      for decision in table.decided {
        let issues = try await collector.json("/api/issues")["issues"].array
        let id = try #require(issues.first { $0["cause"].string == decision.issue }?["id"].string)
        for (what, value) in [("assignee", decision.assignee), ("status", decision.status)] {
          let answer = try await collector.replace("/api/issues/\(id)/\(what)", with: "{\"\(what)\": \"\(value)\"}")
          #expect(answer.status == 200, "\(answer.text)")
        }
      }
      try await body(collector, table)
    }
  }

  private static func send(_ table: SearchCases, to collector: RunningCollector) async throws {
    for session in table.sessions {
      let sequences = session.events.indices.map { ($0 + 1) * 128 }
      let sent = envelope(session.events, bundleId: table.app, launch: session.launch, sequences: sequences)
      #expect(try await collector.post(envelope: sent).status == 200)
      try await collector.waitForLaunch(session.launch, stored: session.events.count)
    }
  }

  @Test(arguments: [true, false]) func `finds what the table says, in every domain`(fullText: Bool) async throws {
    try await Self.with(fullText: fullText) { collector, table in
      #expect(table.cases.count > 100)
      for one in table.cases {
        // Without an index a percent sign is found in messages as well.
        if !fullText, one.query == "%" { continue }
        let answer = try await collector.get("\(one.domain.path)?q=\(one.query.inQuery)")
        #expect(answer.status == 200, "\(one): \(answer.text)")
        let found = SearchCases.names(try answer.json(), one.domain)
        #expect(found == one.found, "\(one)")
      }
    }
  }

  @Test func `finds the same within the numbers beside the lists`() async throws {
    try await Self.with { collector, table in
      for one in table.cases where one.domain == .sessions || one.domain == .requests {
        let sums = one.domain == .sessions ? "/api/sessions/facets" : "/api/network/stats"
        let answer = try await collector.json("\(sums)?q=\(one.query.inQuery)")
        #expect(answer[one.domain == .sessions ? "total" : "count"].int == one.found.count, "\(one)")
      }
    }
  }

  @Test func `refuses what it cannot read, with the place and what to do`() async throws {
    try await Self.with { collector, table in
      #expect(table.refused.count > 8)
      for one in table.refused {
        let answer = try await collector.get("\(one.domain.path)?q=\(one.query.inQuery)")
        #expect(answer.status == 400 && answer.errorCode == "invalid_query", "\(one)")
        let error = try answer.json()["error"]
        #expect(error["offset"].int == one.offset, "\(one)")
        #expect(error["message"].string?.contains(one.says) == true, "\(one): \(error)")
      }
    }
  }

  @Test func `finds any part of a word within one session, and the same in its outline`() async throws {
    try await Self.with { collector, _ in
      for (query, expected) in [
        ("ayment", [4400, 4500]), ("type:log", [4400]), ("status:5xx", [3000]),
        ("level:error -type:network_request", [4400, 4500]), ("\"does not answer\"", [4400]),
        ("payment failed", [4500]),
      ] {
        let events = try await collector.json("/api/sessions/A1-mira/events?q=\(query.inQuery)")
        #expect(events["events"].array.compactMap { $0["timestamp"].int } == expected, "\(query)")
        let outline = try await collector.json("/api/sessions/A1-mira/outline?q=\(query.inQuery)")
        #expect(outline["times"].array.count == expected.count, "\(query)")
      }
      #expect(try await collector.get("/api/sessions/A1-mira/outline?q=tpe:log").errorCode == "invalid_query")
    }
  }

  @Test func `says by which event a session was found, an error before others`() async throws {
    try await Self.with { collector, _ in
      func match(_ query: String) async throws -> JSONValue {
        try await collector.json("/api/sessions?q=\(query.inQuery)")["sessions"][0]["match"]
      }
      let payment = try await match("mira payment")
      #expect(payment["timestamp"].int == 4400 && payment["type"].string == "log")
      #expect(payment["field"].string == "message")
      #expect(payment["text"].string == "payment: the service does not answer")
      let voucher = try await match("autumn10")
      #expect(voucher["type"].string == "network_request" && voucher["field"].string == "requestBody")
      #expect(try await match("jonas")["event"].int == nil)
      #expect(try await match("jonas SIGSEGV")["type"].string == "crash")
      #expect(try await match("user:ida")["event"].int == nil)
    }
  }

  @Test func `says by which event a session was found that no words lead to`() async throws {
    try await Self.with { collector, _ in
      let expected: [(query: String, session: String, type: String, time: Int, text: String)] = [
        ("503", "A1-mira", "network_request", 3000, "POST /v1/checkout: 503"),
        ("mira 503", "A1-mira", "network_request", 3000, "POST /v1/checkout: 503"),
        ("status:4xx", "B2-jonas", "network_request", 10200, "GET /flat-white.png: 404"),
        ("status:none", "C3-ida", "network_request", 20400, "GET /v1/orders/R-2041: The request timed out."),
        ("status:503 roastery", "A1-mira", "network_request", 3000, "https://api.roastery.example/v1/checkout"),
        ("type:storage", "D4-nora", "storage_changed", 30300, "basket"),
        ("type:log payment", "A1-mira", "log", 4400, "payment: the service does not answer"),
        ("screen:checkout", "A1-mira", "navigation", 2000, "Checkout"),
        ("issue:payment", "A1-mira", "handled_exception", 4500, "The payment failed"),
        ("submit_order", "B2-jonas", "crash", 12000, "SIGSEGV in total_of_cart"),
        ("has:crash", "B2-jonas", "crash", 12000, "SIGSEGV"),
        ("has:failed user:ida", "C3-ida", "network_request", 20400, "GET /v1/orders/R-2041: The request timed out."),
        ("message:\"payment failed\"", "A1-mira", "handled_exception", 4500, "The payment failed"),
      ]
      for one in expected {
        let sessions = try await collector.json("/api/sessions?q=\(one.query.inQuery)")["sessions"].array
        let found = try #require(sessions.first { $0["sessionId"].string == one.session }?["match"], "\(one.query)")
        #expect(found["event"].int != nil && found["timestamp"].int == one.time, "\(one.query): \(found)")
        #expect(found["type"].string == one.type && found["text"].string == one.text, "\(one.query): \(found)")
      }
    }
  }

  @Test func `says of requests and issues what was found that the row does not show`() async throws {
    try await Self.with { collector, _ in
      func match(_ path: String) async throws -> JSONValue {
        let answer = try await collector.json(path)
        return (answer["requests"].array + answer["issues"].array).first?["match"] ?? .null
      }
      let voucher = try await match("/api/network?q=autumn10")
      #expect(voucher["field"].string == "requestBody" && voucher["timestamp"].int == 3000)
      let device = try await match("/api/network?q=macos")
      #expect(device["field"].string == "os" && device["text"].string == "macOS 14.4")
      #expect(try await match("/api/network?q=503")["event"].int == nil)
      let function = try await match("/api/issues?q=function:submit")
      #expect(function["field"].string == "function" && function["timestamp"].int == 12000)
      let user = try await match("/api/issues?q=user:mira")
      #expect(user["text"].string == "mira@example.com" && user["timestamp"].int == 4500)
      #expect(try await match("/api/issues?q=os:macos")["text"].string == "macOS 14.4")
      #expect(try await match("/api/issues?q=title:payment")["event"].int == nil)
    }
  }

  @Test func `an issue's match is the report that says it, not the last one`() async throws {
    try await RunningCollector.with { collector in
      let launch = LaunchID()
      func failure(_ said: String, _ time: Int) -> String {
        """
        {"eventType":"handled_exception","timestamp":\(time),"sessionId":"s-1","errorDomain":"Payment","errorMessage":"declined: \(said)",\
        "stackTrace":"0 pay","customMessage":null,"fingerprint":"payment","context":{"sessionId":"s-1"}}
        """
      }
      let events = [failure("the card", 1000), failure("the voucher 77", 2000), failure("the bank", 3000)]
      #expect(
        try await collector.post(envelope: envelope(events, launch: launch, sequences: [128, 256, 384])).status == 200)
      try await collector.waitForLaunch(launch, stored: 3)
      let answer = try await collector.wait(for: "/api/issues?q=voucher") { $0["issues"].array.count == 1 }
      let match = answer["issues"][0]["match"]
      #expect(match["timestamp"].int == 2000 && match["text"].string == "declined: the voucher 77", "\(match)")
      #expect(try await collector.json("/api/events?q=voucher")["events"][0]["id"].int == match["event"].int)
    }
  }

  @Test func `a search that names a status is not narrowed to open issues, and any other is`() async throws {
    try await Self.with { collector, _ in
      for (query, expected, status) in [
        ("status:resolved", ["SyncError"], "all"), ("-status:open", ["SyncError"], "all"), ("ada", [], "open"),
        ("status:open,resolved type:s", ["SIGSEGV", "SyncError"], "all"), ("", ["PaymentError", "SIGSEGV"], "open"),
      ] {
        let answer = try await collector.json("/api/issues?status=open&q=\(query.inQuery)")
        #expect(SearchCases.names(answer, .issues) == expected, "\(query)")
        #expect(answer["status"].string == status, "\(query)")
      }
      // What was chosen stands beside it.
      let chosen = try await collector.json("/api/issues?status=ignored&q=status:resolved")
      #expect(chosen["issues"].array.isEmpty && chosen["status"].string == "ignored")
    }
  }

  @Test func `puts sessions with the issue before those that only speak of it`() async throws {
    try await Self.with { collector, _ in
      func order(_ query: String, _ more: String = "") async throws -> [String?] {
        try await collector.json("/api/sessions?q=\(query.inQuery)&sort=relevance\(more)")["sessions"].array
          .map { $0["sessionId"].string }
      }
      // The newest one only tells of the crash.
      #expect(try await collector.json("/api/sessions?q=SIGSEGV")["sessions"][0]["sessionId"].string == "C3-ida")
      #expect(try await order("SIGSEGV") == ["B2-jonas", "C3-ida"])
      #expect(try await order("menu") == ["C3-ida", "B2-jonas", "A1-mira"])
      let first = try await collector.json("/api/sessions?q=SIGSEGV&sort=relevance&limit=1")
      let next = try #require(first["next"].string)
      #expect(try await order("SIGSEGV", "&limit=1&before=\(next)") == ["C3-ida"])
    }
  }

  @Test func `lists its fields, and the values that there are`() async throws {
    try await Self.with { collector, _ in
      let fields = try await collector.json("/api/search/fields")
      for domain in SearchDomain.allCases {
        let names = fields[domain.rawValue].array.compactMap { $0["name"].string }
        #expect(Set(names).count == names.count && names.contains("user"))
        // Every example is one.
        for field in fields[domain.rawValue].array {
          let example = try #require(field["example"].string)
          #expect(try await collector.get("\(domain.path)?q=\(example.inQuery)").status == 200, "\(example)")
        }
      }
      func values(_ query: String) async throws -> [String?] {
        try await collector.json("/api/search/values?\(query)")["values"].array.map { $0["value"].string }
      }
      #expect(try await values("in=sessions&field=user&begins=mi") == ["mira@example.com"])
      #expect(try await values("in=sessions&field=version") == ["2.1", "2.10", "2.4.1", "3.0.1"])
      #expect(try await values("in=sessions&field=os&begins=i") == ["iOS 17.5", "iOS 18.1"])
      #expect(try await values("in=requests&field=host&begins=cdn") == ["cdn.roastery.example"])
      #expect(try await values("in=events&field=level&begins=w") == ["warning"])
      #expect(try await values("in=sessions&field=screen&begins=check") == ["Checkout"])
      #expect(try await values("in=requests&field=method").sorted { $0 ?? "" < $1 ?? "" } == ["GET", "POST"])
      #expect(try await values("in=sessions&field=tag&begins=plan") == ["plan=free", "plan=pro", "plan=team"])
      #expect(try await values("in=events&field=tag&begins=pay") == ["payment"])
      #expect(try await values("in=events&field=name") == ["points_shown"])
      #expect(try await values("in=requests&field=route&begins=/v1/o") == ["/v1/orders/:id"])
      #expect(try await values("in=requests&field=operation") == ["LoyaltyPoints"])
      #expect(try await values("in=requests&field=mock") == ["empty points"])
      #expect(try await values("in=requests&field=tracer&begins=c0") == ["c0ffee-2041"])
      #expect(try await values("in=issues&field=assignee") == ["ada"])
      #expect(try await values("in=issues&field=type&begins=s") == ["SIGSEGV", "SyncError"])
      // Whatever is said to have values has some.
      for domain in SearchDomain.allCases {
        for field in SearchCatalogue.fields(domain) where field.hasValues && field.name != "file" {
          let found = try await values("in=\(domain.rawValue)&field=\(field.name)")
          #expect(!found.isEmpty, "\(domain.rawValue) \(field.name)")
        }
      }
      #expect(try await collector.get("/api/search/values?in=sessions&field=x").errorCode == "invalid_field")
      #expect(try await collector.get("/api/search/values?in=x&field=user").errorCode == "invalid_in")
      #expect(try await collector.get("/api/search/fields?in=x").errorCode == "invalid_in")
    }
  }
}
