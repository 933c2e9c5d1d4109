import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `What people decide about issues` {
  private static func failure(_ name: String, at timestamp: Int, version: String, session: String = "s-1") -> String {
    """
    {"eventType":"handled_exception","timestamp":\(timestamp),"errorDomain":"\(name)","errorMessage":"declined","stackTrace":"",\
    "bundleId":"dev.example.shop","appVersion":"\(version)","sessionId":"\(session)"}
    """
  }

  private static func names(_ collector: RunningCollector, _ query: String) async throws -> [String] {
    try await collector.json("/api/issues?\(query)")["issues"].array.compactMap { $0["cause"].string }
  }

  private static func name(of cause: String, _ collector: RunningCollector) async throws -> String {
    let issues = try await collector.json("/api/issues")["issues"].array
    return try #require(issues.first { $0["cause"].string == cause }?["id"].string)
  }

  @Test func `a resolved issue comes back as a regression when it happens again, and not before`() async throws {
    try await RunningCollector.with { collector in
      let now = Int(Date().timeIntervalSince1970 * 1000)
      var batch = RawBatch()
      batch.add(.event, Self.failure("Payment", at: now - 1000, version: "2.0"))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let name = try await Self.name(of: "Payment", collector)
      let resolved = try await collector.replace("/api/issues/\(name)/status", with: "{\"status\":\"resolved\"}").json()
      #expect(resolved["status"].string == "resolved")
      #expect(try await Self.names(collector, "status=open").isEmpty)
      #expect(try await Self.names(collector, "status=resolved") == ["Payment"])

      // Of before, but only delivered now.
      var late = RawBatch()
      late.add(.event, Self.failure("Payment", at: now - 5000, version: "2.0"))
      try await collector.post(raw: late)
      try await collector.waitForLaunch(late.launch, stored: 1)
      #expect(try await Self.names(collector, "status=open").isEmpty)

      var again = RawBatch()
      again.add(.event, Self.failure("Payment", at: now + 60_000, version: "2.1"))
      try await collector.post(raw: again)
      try await collector.waitForLaunch(again.launch, stored: 1)
      #expect(try await Self.names(collector, "status=regressed") == ["Payment"])
      let issue = try await collector.json("/api/issues/\(name)")
      #expect(issue["status"].string == "open" && issue["regressedIn"].string == "2.1")
      #expect(issue["regressedAt"].int == now + 60_000)
      let ignored = try await collector.replace("/api/issues/\(name)/status", with: "{\"status\":\"ignored\"}").json()
      #expect(ignored["status"].string == "ignored" && ignored["regressedAt"] == .null)
    }
  }

  @Test func `what is resolved in a version stays so while older versions still report it`() async throws {
    try await RunningCollector.with { collector in
      let now = Int(Date().timeIntervalSince1970 * 1000)
      var batch = RawBatch()
      batch.add(.event, Self.failure("Payment", at: now - 1000, version: "1.9"))
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 1)
      let name = try await Self.name(of: "Payment", collector)
      let body = "{\"status\":\"resolved\",\"version\":\"1.10\"}"
      #expect(
        try await collector.replace("/api/issues/\(name)/status", with: body).json()["resolvedIn"].string == "1.10")
      for (version, status) in [("1.9", "resolved"), ("1.10", "open")] {
        var next = RawBatch()
        next.add(.event, Self.failure("Payment", at: now + 60_000, version: version))
        try await collector.post(raw: next)
        try await collector.waitForLaunch(next.launch, stored: 1)
        #expect(try await collector.json("/api/issues/\(name)")["status"].string == status, "\(version)")
      }
    }
  }

  @Test func `what is resolved in the next version is not opened by this one`() {
    let fix = IssueStates.Fix(">2.1")
    #expect(fix.text == ">2.1" && IssueStates.Fix("2.1").text == "2.1")
    for (version, isIncluded) in [("2.0", false), ("2.1", false), ("2.1.0", false), ("2.1.1", true), ("3", true)] {
      #expect(fix.includes(version) == isIncluded, "\(version)")
    }
  }

  @Test func `issues are ordered by what one asks for, page after page`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      // Of the later ones fewer reports in more sessions.
      for issue in 0..<6 {
        for report in 0..<(12 - issue) {
          batch.add(
            .event,
            Self.failure(
              "E\(issue)", at: 1000 * issue + report, version: "1.0", session: "s-\(report % (issue + 1))"))
        }
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: 57)
      let up = (0..<6).map { "E\($0)" }
      for (sort, expected) in [
        ("last", Array(up.reversed())), ("first", up.reversed()), ("count", up), ("sessions", up.reversed()),
      ] {
        #expect(try await Self.names(collector, "sort=\(sort)") == expected, "\(sort)")
        var paged: [String] = []
        var cursor: String?
        repeat {
          let page = try await collector.json(
            "/api/issues?sort=\(sort)&limit=2" + (cursor.map { "&before=\($0)" } ?? ""))
          paged += page["issues"].array.compactMap { $0["cause"].string }
          cursor = page["next"].string
        } while cursor != nil
        #expect(paged == expected, "\(sort)")
      }
    }
  }

  @Test func `what makes no sense is refused`() async throws {
    try await RunningCollector.with { collector in
      for query in ["status=done", "sort=random"] {
        #expect(try await collector.get("/api/issues?\(query)").status == 400)
      }
      for body in ["{}", "{\"status\":\"gone\"}", "{\"status\":\"resolved\",\"version\":7}", "[]", "nonsense"] {
        #expect(try await collector.replace("/api/issues/0123456789abcdef/status", with: body).status == 400, "\(body)")
      }
      #expect(
        try await collector.replace("/api/issues/0123456789abcdef/status", with: "{\"status\":\"open\"}").status == 404)
      let foreign = [("Origin", "https://evil.example")]
      let answer = try await collector.replace("/api/issues/x/status", with: "{\"status\":\"open\"}", headers: foreign)
      #expect(answer.status == 403)
    }
  }
}
