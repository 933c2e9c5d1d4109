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
      let launch = LaunchID()
      let sequences = table.events.indices.map { ($0 + 1) * 128 }
      let sent = envelope(table.events, bundleId: table.app, launch: launch, sequences: sequences)
      #expect(try await collector.post(envelope: sent).status == 200)
      try await collector.waitForLaunch(launch, stored: table.events.count)
      // Names of functions come a moment later.
      _ = try await collector.wait(for: "/api/issues?q=submit_order") { $0["issues"].array.count == 1 }
      try await body(collector, table)
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
      #expect(try await values("in=sessions&field=version") == ["2.1", "2.10", "2.4.1"])
      #expect(try await values("in=sessions&field=os&begins=i") == ["iOS 17.5", "iOS 18.1"])
      #expect(try await values("in=requests&field=host&begins=cdn") == ["cdn.roastery.example"])
      #expect(try await values("in=events&field=level&begins=w") == ["warning"])
      #expect(try await values("in=sessions&field=screen&begins=check") == ["Checkout"])
      #expect(try await values("in=requests&field=method").sorted { $0 ?? "" < $1 ?? "" } == ["GET", "POST"])
      #expect(try await collector.get("/api/search/values?in=sessions&field=x").errorCode == "invalid_field")
      #expect(try await collector.get("/api/search/values?in=x&field=user").errorCode == "invalid_in")
      #expect(try await collector.get("/api/search/fields?in=x").errorCode == "invalid_in")
    }
  }
}
