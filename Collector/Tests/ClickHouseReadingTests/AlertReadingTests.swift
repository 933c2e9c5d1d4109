import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct AlertReadingTests {
  static func described(_ look: AlertLook) -> String {
    look.findings.map { finding in
      switch finding {
      case .moment(let alert): "moment \(alert.json)"
      case .firing(let alert): "firing \(alert.json)"
      case .calm(let alert): "calm \(alert.json)"
      }
    }.sorted().joined(separator: "\n")
  }

  private static func compare(
    _ kind: AlertRule.Kind, at now: Int64, firing: [String: Int64] = [:], finds count: Int, in twins: Twins? = nil,
    _ change: (inout AlertRule.Settings) -> Void
  ) async throws {
    let twins = if let twins { twins } else { try await Twins.health }
    var settings = AlertRule.Settings()
    change(&settings)
    let rule = AlertRule(name: "r", kind: kind, settings: settings)
    let context = AlertLook.Context(now: now, startedAt: now - 365 * 86_400_000, firing: firing)
    let wanted = try await twins.store.pool.read { try AlertLook(rule, context, in: $0) }
    #expect(wanted.findings.count == count, "\(kind): \(described(wanted))")
    try await twins.compare("\(kind) at \(now)") {
      wanted
    } _: { telemetry in
      try await ClickHouseAlerts(
        telemetry: telemetry, issues: ClickHouseIssues(telemetry: telemetry, state: twins.store.beside),
        state: twins.store.state
      ).found(rule, context)
    } as: { look, _ in
      described(look)
    }
  }

  private static let evening = HealthDeliveries.start + 24 * HealthDeliveries.hour

  @Test func `The share of sessions without a crash is the same`() async throws {
    for firing in [[:], ["": 1]] as [[String: Int64]] {
      try await Self.compare(.crashFree, at: Self.evening, firing: firing, finds: 1) {
        ($0.threshold, $0.minutes, $0.minimum) = (99.5, 2880, 1)
      }
      try await Self.compare(.crashFree, at: Self.evening, firing: firing, finds: 1) {
        ($0.threshold, $0.minutes, $0.minimum, $0.version) = (99.5, 2880, 1, "2.2")
      }
      try await Self.compare(.crashFree, at: Self.evening, firing: firing, finds: firing.isEmpty ? 0 : 1) {
        ($0.threshold, $0.minutes, $0.minimum, $0.bundleId) = (1, 2880, 1, "dev.example.shop")
      }
    }
    try await Self.compare(.crashFree, at: Self.evening, finds: 0) {
      ($0.threshold, $0.minutes, $0.minimum) = (99.5, 2880, 1000)
    }
    try await Self.compare(.crashFree, at: Self.evening + 30 * 86_400_000, finds: 0) {
      ($0.threshold, $0.minutes, $0.minimum) = (99.5, 60, 1)
    }
  }

  @Test func `What was received long ago is not looked at, whatever the clock of its device said`() async throws {
    let stage = try await LookerStage("alerts_recent")
    let program = try await CheckoutProgram.shared
    let now = Twins.received + 60_000
    func crash(_ number: Int) throws -> Delivery {
      try IssueDeliveries.delivery(number) { $0.event("crash", at: now - 1000, try program.crash(in: "price")) }
    }
    var settings = AlertRule.Settings()
    (settings.threshold, settings.minutes, settings.minimum) = (99.5, 60, 1)
    let rule = AlertRule(name: "r", kind: .crashFree, settings: settings)
    let context = AlertLook.Context(now: now, startedAt: now - 365 * 86_400_000, firing: [:])
    let alerts = ClickHouseAlerts(telemetry: stage.telemetry, issues: stage.issues, state: stage.store.state)
    try await stage.deliver(IssueDeliveries.delivery(700) { $0.failure("Card 7 was declined", at: now - 1000) })
    try await stage.deliver(try crash(701), again: -10 * HealthFilter.day)
    #expect(try await alerts.found(rule, context).findings.isEmpty)
    try await stage.deliver(try crash(702))
    #expect(try await alerts.found(rule, context).findings.count == 1)
  }

  @Test func `The share of requests that fail is the same, route by route`() async throws {
    let looks: [(Int, (inout AlertRule.Settings) -> Void)] = [
      (2, { $0.threshold = 10 }), (2, { ($0.threshold, $0.bundleId) = (10, "dev.example.shop") }),
      (0, { ($0.threshold, $0.version) = (10, "77") }), (1, { ($0.threshold, $0.method) = (10, "POST") }),
      (0, { ($0.threshold, $0.host) = (10, "elsewhere") }), (0, { ($0.threshold, $0.minimum) = (10, 500) }),
    ]
    for (count, change) in looks {
      for firing in [[:], ["PUT nowhere/": 1]] as [[String: Int64]] {
        try await Self.compare(.requestErrors, at: Self.evening, firing: firing, finds: count + firing.count) {
          ($0.minutes, $0.minimum) = (2880, 1)
          change(&$0)
        }
      }
    }
  }

  @Test func `Silence, and its end, are the same`() async throws {
    // Of these nothing came a second time, which would have been received later.
    let twins = try await Twins.devices
    let after = Twins.received + 10 * 86_400_000
    let settings: [(inout AlertRule.Settings) -> Void] = [
      { _ in }, { $0.bundleId = StoryDeliveries.other }, { $0.bundleId = "dev.example.nothing" },
      { $0.version = "1.0" },
      { $0.version = "77" },
    ]
    for (number, change) in settings.enumerated() {
      let isKnown = number != 2 && number != 4
      try await Self.compare(.silence, at: after, finds: 1, in: twins) {
        $0.minutes = 60
        change(&$0)
      }
      try await Self.compare(.silence, at: after, firing: ["": 1], finds: isKnown ? 1 : 0, in: twins) {
        $0.minutes = 60
        change(&$0)
      }
      try await Self.compare(.silence, at: after, firing: ["": after - 1], finds: 0, in: twins) { change(&$0) }
      try await Self.compare(.silence, at: Twins.received + 60_000, finds: isKnown ? 0 : 1, in: twins) {
        $0.minutes = 60
        change(&$0)
      }
    }
  }
}
