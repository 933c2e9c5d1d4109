import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct HealthReadingTests {
  private static func filters() -> [(name: String, filter: HealthFilter)] {
    let day = HealthFilter(from: HealthDeliveries.start - 1000, to: HealthDeliveries.start + 24 * HealthDeliveries.hour)
    var (app, version, narrow, nothing) = (day, day, day, day)
    app.bundleId = "dev.example.shop"
    version.version = "2.2"
    (narrow.from, narrow.to) = (
      HealthDeliveries.start + HealthDeliveries.hour, HealthDeliveries.start + 3 * HealthDeliveries.hour
    )
    nothing.bundleId = "dev.example"
    return [("a day", day), ("an app", app), ("a version", version), ("two hours", narrow), ("nothing", nothing)]
  }

  /// Without the numbers of events; names of sessions as their apps call them.
  private static func form(_ write: (inout JSONOutput) -> Void, _ events: [Int64: String]) throws -> String {
    var json = JSONOutput()
    json.object { write(&$0) }
    let value = try JSONSerialization.jsonObject(with: Data(String(buffer: json.buffer).utf8))
    func named(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(named) }
      guard let object = value as? [String: Any] else { return value }
      var result: [String: Any] = [:]
      for (key, member) in object {
        switch (key, member) {
        case ("event", let number as NSNumber): result[key] = events[number.int64Value] ?? "?"
        case ("sessionId", let text as String): result[key] = String(text.prefix { $0 != "@" })
        default: result[key] = named(member)
        }
      }
      return result
    }
    let data = try JSONSerialization.data(withJSONObject: named(value), options: [.sortedKeys, .prettyPrinted])
    return String(decoding: data, as: UTF8.self)
  }

  private func compare(
    _ part: String, _ write: @escaping (HealthReport, inout JSONOutput) -> Void
  ) async throws {
    let twins = try await Twins.health
    var scopes = [("everything", try twins.store.everything())]
    for bundle in ["dev.example.shop", "dev.example.shop2"] {
      scopes.append((bundle, try await twins.store.only(bundle)))
    }
    for (reader, scope) in scopes {
      for (name, filter) in Self.filters().prefix(scope.seesEverything ? 5 : 1) {
        try await twins.compare("\(part) of \(name) for \(reader)") {
          try await SQLiteHealth(store: twins.store).report(scope, filter)
        } _: {
          try await ClickHouseHealth(telemetry: $0).report(scope, filter)
        } as: { report, events in
          try Self.form({ write(report, &$0) }, events)
        }
      }
    }
  }

  @Test func `Health is the same of each part, for who may see it`() async throws {
    try await compare("the report") { report, json in
      report.apps.writeMembers(to: &json)
      report.stability.write(to: &json)
      report.launchTimes.write(to: &json)
      report.hangs.write(to: &json, sessions: report.stability.sessionsByVersion, bySummary: 0)
      report.frames.write(to: &json, bySummary: 0)
      report.requests.write(to: &json)
      report.taps.write(to: &json, bySummary: 0)
      // What comes twice is forgotten here.
      var losses = report.losses
      losses.forgetDuplicates()
      losses.write(to: &json)
    }
  }
}

extension RecorderLosses {
  fileprivate mutating func forgetDuplicates() { all.duplicates = 0 }
}
