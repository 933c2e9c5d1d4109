import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// What devices tell of what they keep: in lists of sessions, and added up.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct SummaryReadingTests {
  private static let now = HealthDeliveries.start + 2 * HealthFilter.day

  private static func filters() throws -> [(name: String, filter: SessionFilter)] {
    var filters: [(String, SessionFilter)] = [("everything", SessionFilter())]
    for order in [SessionFilter.Order.events, .errors] {
      var filter = SessionFilter()
      filter.order = order
      filters.append(("by \(order)", filter))
    }
    for query in [
      "has:crash", "has:hang", "has:failed", "has:error", "has:live", "ended:hang_kill", "ended:none", "events:>8",
      "errors:>0",
    ] {
      var filter = SessionFilter()
      filter.query = try SearchQuery(query, in: .sessions)
      filters.append((query, filter))
    }
    return filters
  }

  @Test func `Sessions are found by what their devices say of them, and show it`() async throws {
    let twins = try await Twins.health
    let scope = try twins.store.everything()
    for (name, filter) in try Self.filters() {
      // What was to be kept until then is gone.
      let later = name == "everything" ? [HealthDeliveries.start + 20 * HealthFilter.day] : []
      for now in [Self.now] + later {
        try await twins.compare("\(name) at \(now)") {
          try await SQLiteSessions(store: twins.store).list(scope, filter, before: nil, limit: 100, now: now).page.rows
        } _: {
          try await ClickHouseSessions(telemetry: $0).list(scope, filter, before: nil, limit: 100, now: now).page.rows
        } as: { rows, _ in
          rows.map(\.described).sorted().joined(separator: "\n")
        }
      }
    }
  }

  @Test func `What devices keep adds up to the same`() async throws {
    let twins = try await Twins.health
    let start = HealthDeliveries.start
    for scope in [
      try twins.store.everything(), try await twins.store.only("dev.example.shop"),
      try await twins.store.only("dev.example.shop2"),
    ] {
      for (app, from) in [
        (nil, start - HealthFilter.day), ("dev.example.shop", start - HealthFilter.day),
        (nil, start + HealthFilter.day),
      ] as [(String?, Int64)] {
        var filter = HealthFilter(from: from, to: start + 20 * HealthFilter.day)
        filter.bundleId = app
        try await twins.compare("savings of \(app ?? "all") from \(from)") {
          try await SQLiteHealth(store: twins.store).savings(scope, filter)
        } _: {
          try await ClickHouseHealth(telemetry: $0).savings(scope, filter)
        } as: { savings, _ in
          var json = JSONOutput()
          savings.write(to: &json)
          return String(buffer: json.buffer)
        }
      }
    }
  }
}
