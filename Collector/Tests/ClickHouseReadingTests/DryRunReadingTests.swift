import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct DryRunReadingTests {
  private static func rule(_ when: UploadTrigger, _ change: (inout UploadRule) -> Void = { _ in }) -> UploadRule {
    var rule = UploadRule(name: "rule", when: when)
    change(&rule)
    return rule
  }

  @Test func `Rules would have sent the same of what is stored`() async throws {
    for twins in [try await Twins.health, try await Twins.shop] {
      let rules = [
        Self.rule(.crash), Self.rule(.unexpectedEnd), Self.rule(.rageTap), Self.rule(.hang(atLeastMs: 1000)),
        Self.rule(.request(UploadRequest(failed: true))), Self.rule(.sessions(fraction: 1)),
        Self.rule(.request(UploadRequest(status: 500...599))) { $0.send.bodies = false },
        Self.rule(.log(atLeast: 2, tag: "pay")), Self.rule(.event(UploadEvent(type: "custom"))),
      ]
      let now = HealthDeliveries.start + 24 * HealthDeliveries.hour
      var scopes = [("everything", try twins.store.everything())]
      scopes.append(("one project", try await twins.store.only("dev.example.shop2")))
      for (name, scope) in scopes {
        for bundle in [nil, "dev.example.shop"] {
          for count in [1, rules.count] {
            let some = Array(rules.prefix(count))
            try await twins.compare("\(count) rules of \(bundle ?? "all") for \(name)") {
              try await SQLiteDryRuns(store: twins.store).run(scope, some, of: bundle, now: now)
            } _: {
              // Here the machine may be slow.
              var runs = ClickHouseDryRuns(telemetry: $0)
              runs.limits.seconds = 60
              return try await runs.run(scope, some, of: bundle, now: now)
            } as: { run, _ in
              "\(run.figures) \(run.isPartial) \(run.from) \(run.to) \(run.sample.bytes)"
            }
          }
        }
      }
    }
  }
}
