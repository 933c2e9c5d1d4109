import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct AskReadingTests {
  private static func ask(
    _ id: Int64, _ kind: Ask.Kind, _ subject: String, _ bundle: String = StoryDeliveries.shop, session: String? = nil,
    told: Int64? = 1, from: Int64? = nil
  ) -> Ask {
    Ask(
      id: id, bundle: bundle, kind: kind, subject: subject, session: session, from: from, to: nil, reason: "r",
      askedBy: "eve", askedAt: 0, endsAt: .max, state: .onItsWay, end: nil, changedAt: 0, changedBy: nil, toldAt: told,
      cameAt: nil, events: 0, seen: 0)
  }

  private static let asks = [
    ask(1, .user, "noor"), ask(2, .user, "mira@example.com"), ask(3, .user, "eve"),
    ask(4, .user, "eve", StoryDeliveries.other), ask(5, .session, "crashing", session: "crashing"),
    ask(6, .appVersion, "2.10"), ask(7, .appVersion, "9.0", StoryDeliveries.other),
    ask(8, .user, "noor", told: nil), ask(9, .user, "ann", from: StoryDeliveries.start + 205_000),
    ask(10, .user, "mira@example.com", told: Twins.received + 1), ask(11, .device, "nobody's"),
  ]

  @Test func `What came is counted for the same asks`() async throws {
    let twins = try await Twins.story
    for most in [5000, 7] {
      func counts(
        _ arrived: (_ after: Int64, _ open: @escaping @Sendable () -> [OpenAsk]) async throws -> ArrivedEvents
      ) async throws -> String {
        var counts: [Int64: Int64] = [:]
        var (last, isFull): (Int64, Bool) = (0, true)
        while isFull {
          let found = try await arrived(last) { Self.asks.map { OpenAsk(ask: $0) } }
          #expect(found.asks.count == Self.asks.count)
          counts.merge(found.counts, uniquingKeysWith: +)
          guard let next = found.last else { break }
          #expect(next > last)
          (last, isFull) = (next, found.isFull)
        }
        return counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
      }
      try await twins.compare("counts by \(most)") {
        let found = try await counts { after, open in
          try await twins.store.pool.read { try ArrivedEvents(after: after, most: most, open, in: $0) }
        }
        #expect(found.contains("5: "))
        return found
      } _: { telemetry in
        try await counts { after, open in
          try await ClickHouseAsks(telemetry: telemetry, order: twins.order).counted(after: after, most: most, open)
        }
      } as: { counts, _ in
        counts
      }
    }
  }

  @Test func `The session that is asked for is known by the same words`() async throws {
    let twins = try await Twins.story
    for scope in [try twins.store.everything(), try await twins.store.only(StoryDeliveries.shop)] {
      for name in ["crashing", "calm", "strange", "launch:\(StoryDeliveries.launch(3))", "no such"] {
        try await twins.compare(name) {
          try await SQLiteAsks(store: twins.store).session(scope, name, at: 0)
        } _: {
          try await ClickHouseAsks(telemetry: $0, order: twins.order).session(scope, name, at: 0)
        } as: { session, _ in
          session.map { "\($0.given) \($0.bundle ?? "") \($0.owner.name)" } ?? "none"
        }
      }
    }
  }

  @Test func `What a device keeps nothing of is known by the same words`() async throws {
    let twins = try await Twins.health
    let scope = try twins.store.everything()
    let list = try await SQLiteSessions(store: twins.store).list(
      scope, SessionFilter(), before: nil, limit: 100, now: HealthDeliveries.start)
    let names = list.page.rows.map(\.sessionId).sorted()
    let asks = names.enumerated().map { Self.ask(Int64($0.offset), .session, $0.element, session: $0.element) }
    // They are kept for seven days.
    for days in [2, 20] as [Int64] {
      let now = HealthDeliveries.start + days * HealthFilter.day
      try await twins.compare("after \(days) days") {
        let empty = try SQLiteAsks(store: twins.store).empty(asks, at: now)
        #expect(empty.isEmpty == (days < 7) && empty.count < asks.count)
        return empty
      } _: {
        try await ClickHouseAsks(telemetry: $0, order: twins.order).emptied(asks, at: now)
      } as: { empty, _ in
        "\(empty.sorted())"
      }
      for name in names {
        try await twins.compare("\(name) after \(days) days") {
          try await SQLiteAsks(store: twins.store).session(scope, name, at: now)
        } _: {
          try await ClickHouseAsks(telemetry: $0, order: twins.order).session(scope, name, at: now)
        } as: { session, _ in
          "\(session?.keepsNothing == true)"
        }
      }
    }
  }

  @Test func `The devices of a user, and of a session, are the same`() async throws {
    let twins = try await Twins.devices
    for ask in [
      Self.ask(1, .user, "eve"), Self.ask(2, .user, "eve", StoryDeliveries.other), Self.ask(3, .user, "ada"),
      Self.ask(4, .session, "shared", session: "shared"), Self.ask(5, .device, "d-1"), Self.ask(6, .user, "none"),
    ] {
      try await twins.compare("devices of \(ask.id)") {
        try await twins.store.pool.read { try AskAudience.look(for: ask, after: 0, in: $0) }
      } _: {
        try await ClickHouseAsks(telemetry: $0, order: twins.order).devices(for: ask, after: 0)
      } as: { look, _ in
        look.devices.sorted().joined(separator: " ")
      }
    }
    let asks = [
      Self.ask(1, .device, "d-1"), Self.ask(2, .device, "d-2"), Self.ask(3, .user, "eve"), Self.ask(4, .user, "ada"),
    ]
    try await twins.compare("counts") {
      try await twins.store.pool.read { database in
        try ArrivedEvents(after: 0, most: 5000, { asks.map { OpenAsk(ask: $0) } }, in: database)
      }
    } _: {
      try await ClickHouseAsks(telemetry: $0, order: twins.order).counted(after: 0, most: 5000) {
        asks.map { OpenAsk(ask: $0) }
      }
    } as: { found, _ in
      "\(found.counts.sorted { $0.key < $1.key })"
    }
  }
}

/// People on several devices, and two on one.
enum DeviceDeliveries {
  static var all: [Delivery] {
    [
      one("s-1", StoryDeliveries.shop, device: "d-1", users: ["eve"]),
      one("s-2", StoryDeliveries.shop, device: "d-2", users: ["eve"]),
      one("s-3", StoryDeliveries.other, device: "d-3", users: ["eve"]),
      one("shared", StoryDeliveries.shop, device: "d-4", users: ["ada", "eve", "bob"]),
    ]
  }

  private static func one(_ session: String, _ bundle: String, device: String, users: [String]) -> Delivery {
    var app = Delivery(bundle)
    for (index, user) in users.enumerated() {
      app.add(
        .context,
        #"{"contextId":\#(index + 1),"sessionId":"\#(session)","userId":"\#(user)","anonymousId":"\#(device)","#
          + #""appVersion":"1.0","bundleId":"\#(bundle)","tags":{"anonymousId":"d-9"}}"#)
      app.event(
        "log", at: StoryDeliveries.start + Int64(index), context: index + 1,
        #""level":2,"message":"of \#(user)","filterName":"all""#)
    }
    return app
  }
}
