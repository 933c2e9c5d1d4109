import Foundation
import Testing

/// A real program with the real packages, whose records are asked of a real collector.
@Suite(.serialized) struct IntegrationTests {
  private static func ran() async throws -> (collector: Collector, directory: TemporaryDirectory) {
    let collector = try Collector()
    let directory = try TemporaryDirectory()
    let program = try Program(Program.app, [collector.url, directory.url.path])
    #expect(program.wait() == 0)
    return (collector, directory)
  }

  @Test func `what the program logs is found by its level, its label and its metadata`() async throws {
    let (collector, directory) = try await Self.ran()
    defer { withExtendedLifetime(directory) {} }
    let all = try await collector.events("type:log", count: 6)
    #expect(
      all.map { $0["message"] as? String } == [
        "before the SDK was started", "paying", "declined", "out of paper", "now that, too", "inside",
      ])
    #expect(all.map { $0["level"] as? Int } == [2, 2, 4, 5, 0, 3])
    #expect(all.allSatisfy { $0["tag"] as? String == "shop.payment" && $0["filterName"] as? String == "swift-log" })
    let paying = try #require(all[1]["metadata"] as? [String: Any])
    #expect(paying["order"] as? String == "R-2041" && paying["request"] as? String == "r-7")
    #expect(paying["amount"] as? Double == 4.2 && paying["items"] as? Int == 3)
    let declined = try #require(all[2]["metadata"] as? [String: Any])
    #expect(
      paying["level"] as? String == "provider" && declined["level"] as? String == "call", "the call's comes first")
    #expect(declined["cards"] as? [String] == ["visa", "amex"])
    #expect(declined["shop"] as? [String: String] == ["city": "Basel"])
    #expect((all[2]["source"] as? String)?.contains("main.swift:") == true)
    for query in ["amex", "field:order=R-2041 declined", "tag:shop.payment level:error declined", "\"Basel\""] {
      let found = try await collector.events(query, count: 1)
      #expect(found.contains { $0["message"] as? String == "declined" }, "\(query)")
    }
    #expect(try await collector.events("field:order=R-9999", count: 0).isEmpty)
    let inside = try #require(all[5]["metadata"] as? [String: Any])
    #expect((inside["traceId"] as? String)?.count == 32 && (inside["spanId"] as? String)?.count == 16)
  }

  @Test func `ten thousand increments are one record`() async throws {
    let (collector, directory) = try await Self.ran()
    defer { withExtendedLifetime(directory) {} }
    let records = try await collector.events("name:Metrics", count: 1)
    #expect(records.count == 1)
    let properties = try #require(records[0]["properties"] as? [String: [String: Any]])
    #expect(properties["counters"]?["orders{kind=card}"] as? Int == 10_000)
    #expect(properties["counters"]?["litres"] as? Double == 0.25)
    #expect(properties["gauges"]?["queue"] as? Int == 999)
    let brewing = try #require(properties["timers"]?["brewing"] as? [String: Double])
    #expect(brewing == ["count": 100, "sum": 5050, "min": 1, "max": 100])
    #expect((properties["recorders"]?["cups"] as? [String: Int])?["sum"] == 2)
  }

  @Test func `spans of a tracing library and of the SDK are nested as they were made, from program to program`()
    async throws
  {
    let (collector, directory) = try await Self.ran()
    defer { withExtendedLifetime(directory) {} }
    let session = try #require(
      try await collector.list("api/sessions", "sessions", count: 1)[0]["sessionId"] as? String)
    let spans = try await collector.list("api/sessions/\(session)/spans", "spans", count: 4)
    let byName = Dictionary(spans.map { ($0["name"] as? String ?? "", $0) }, uniquingKeysWith: { $1 })
    #expect(Set(byName.keys) == ["checkout", "sdk's own", "inside of the SDK's", "remote, renamed"])
    for (child, parent) in [
      ("sdk's own", "checkout"), ("inside of the SDK's", "sdk's own"), ("remote, renamed", "inside of the SDK's"),
    ] {
      #expect(byName[child]?["parentSpanId"] as? String == byName[parent]?["spanId"] as? String, "\(child)")
      #expect(byName[child]?["traceId"] as? String == byName[parent]?["traceId"] as? String, "\(child)")
    }
    #expect(spans.allSatisfy { $0["durationMs"] is Double || $0["durationMs"] is Int })
    #expect(byName["checkout"]?["kind"] as? String == "server" && byName["checkout"]?["status"] as? String == "error")
    #expect(byName["checkout"]?["statusMessage"] as? String == "Declined")
    let paid = try await collector.events("name:paid", count: 1)
    #expect((paid[0]["properties"] as? [String: Any])?["spanId"] as? String == byName["checkout"]?["spanId"] as? String)
  }

  @Test func `of a program that is killed inside of a span, the next launch tells what had begun`() async throws {
    let directory = try TemporaryDirectory()
    let victim = try Program(Program.app, ["none", directory.url.path])
    #expect(try victim.firstLine() == "inside")
    victim.kill(SIGKILL)
    #expect(victim.wait() == SIGKILL)
    let collector = try Collector()
    #expect(try Program(Program.app, [collector.url, directory.url.path]).wait() == 0)
    let begun = try await collector.events("type:span outer", count: 1)
    #expect(begun.count == 1 && begun[0]["durationMs"] == nil)
    let words = try await collector.events("\"the last words\"", count: 1)
    #expect(words.count == 1)
    let trace = try #require(begun[0]["traceId"] as? String)
    let spans = try await collector.list("api/traces/\(trace)", "spans", count: 2)
    #expect(spans.map { $0["name"] as? String } == ["outer", "inner"] && spans.allSatisfy { $0["durationMs"] == nil })
    #expect((words[0]["metadata"] as? [String: Any])?["spanId"] as? String == spans[1]["spanId"] as? String)
  }
}
