import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// Rules about issues: what they find in the index is what they find in ClickHouse.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct IssueAlertTests {
  private static let (start, hour) = (IssueDeliveries.start, IssueDeliveries.hour)

  private static func rules() -> [AlertRule] {
    func rule(_ kind: AlertRule.Kind, _ change: (inout AlertRule.Settings) -> Void = { _ in }) -> AlertRule {
      var settings = AlertRule.Settings()
      change(&settings)
      return AlertRule(name: "r", kind: kind, settings: settings)
    }
    return [
      rule(.newIssue), rule(.newIssue) { $0.bundleId = IssueDeliveries.other }, rule(.newIssue) { $0.version = "2.3" },
      rule(.newIssue) { $0.issueKinds = ["hang"] }, rule(.issueRate) { ($0.threshold, $0.minutes) = (2, 120) },
      rule(.issueRate) { ($0.threshold, $0.minutes) = (1, 60) },
      rule(.issueRate) { ($0.threshold, $0.minutes, $0.version) = (0, 60, "2.3") },
      rule(.issueRate) { ($0.threshold, $0.minutes) = (100, 60) },
    ]
  }

  /// - Parameter cursors: of the index, and of each of the others.
  /// - Returns: where they go on, and how much was found.
  private static func compare(
    _ twins: IssueTwins, _ rule: AlertRule, _ cursors: [Int64], firing: [String: Int64] = [:], at now: Int64
  ) async throws -> (cursors: [Int64], count: Int) {
    let context = AlertLook.Context(now: now, startedAt: 0, firing: firing)
    var rule = rule
    rule.cursor = cursors[0]
    let wanted = try await twins.index.pool.read { [rule] in try AlertLook(rule, context, in: $0) }
    var ends = [wanted.cursor]
    for (twin, cursor) in zip(twins.twins, cursors.dropFirst()) {
      rule.cursor = cursor
      let found = try await ClickHouseAlerts(telemetry: twin.telemetry, issues: twin.issues, state: twin.store.state)
        .found(rule, context)
      #expect(
        AlertReadingTests.described(found) == AlertReadingTests.described(wanted),
        "\(rule.kind) \(rule.settings) in \(twin.name)")
      #expect(!found.isPartial && !wanted.isPartial)
      ends.append(found.cursor)
    }
    return (ends, wanted.findings.count)
  }

  @Test func `New issues, bursts and their end are told in the same words, and of what came before nothing`()
    async throws
  {
    let twins = try await IssueTwins("twins_alerts")
    try await twins.deliver([
      IssueDeliveries.delivery(1, user: "mira", again: HealthFilter.day) { app in
        for minute in 0..<4 as Range<Int64> {
          app.failure("Card 4711 of “Mira” was declined", at: Self.start + minute * 60_000)
        }
        app.event(
          "hang", at: Self.start + 4 * Self.hour,
          #""durationMs":2500.5,"stackTrace":"0 Feed.layout()","currentScreen":"Feed""#)
      },
      IssueDeliveries.delivery(3, IssueDeliveries.other, user: "mira", version: "9", again: 5) { app in
        app.failure("Card 4711 of “Mira” was declined", at: Self.start + 9 * Self.hour)
      },
    ])
    let rules = Self.rules()
    var cursors: [[Int64]] = []
    var counts: [Int] = []
    for rule in rules {
      let beginning = Array(repeating: 0 as Int64, count: twins.twins.count + 1)
      let (ends, count) = try await Self.compare(twins, rule, beginning, at: IssueDeliveries.now)
      cursors.append(ends)
      counts.append(count)
      // Who begins now begins where everything has been looked at.
      for (twin, end) in zip(twins.twins, ends.dropFirst()) { #expect(try await twin.issues.newest() == end) }
    }
    #expect(counts == [3, 1, 0, 1, 1, 1, 0, 0])
    // One that is known already, one that is new.
    try await twins.deliver([
      IssueDeliveries.delivery(5, user: "eve", version: "2.3", again: 7) { app in
        app.failure("Card 2 of “Eve” was declined", at: Self.start + 21 * Self.hour)
        app.failure("The network is gone", at: Self.start + 22 * Self.hour, domain: "NetworkError")
      }
    ])
    let name = try #require(
      try await SQLiteIssues(store: twins.index).list(
        twins.index.everything(), IssueQuery.Filter(), before: nil, limit: 50, now: IssueDeliveries.now
      ).rows.first { $0.bundleId == "dev.example.shop" && $0.kind == "failure" && $0.events > 1 }?.name)
    counts = []
    for (index, rule) in rules.enumerated() {
      let (_, count) = try await Self.compare(
        twins, rule, cursors[index], firing: rule.kind == .issueRate ? [name: 1] : [:], at: IssueDeliveries.now)
      counts.append(count)
    }
    #expect(counts == [1, 0, 1, 0, 1, 1, 2, 1])
    // Somebody has decided about it.
    try await twins.decide { deciding in
      let isSet = try await deciding.states.set(.ignored, of: name, fix: nil, by: "ada", at: 5)
      #expect(isSet)
    }
    let (_, closed) = try await Self.compare(twins, rules[0], cursors[0], firing: [name: 1], at: IssueDeliveries.now)
    #expect(closed == 2)
  }
}
