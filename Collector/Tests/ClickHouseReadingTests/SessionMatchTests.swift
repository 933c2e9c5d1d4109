import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// A list of sessions that was searched says of each by which event it was found: the one that the index says, and no other's.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct SessionMatchTests {
  private static let now: Int64 = 1_700_900_000_000

  private static func lines(_ rows: [SessionRow], _ events: [Int64: String]) -> String {
    rows.map { row in
      guard let match = row.match else { return "\(row.sessionId): -" }
      let event = "\(events[match.event] ?? "?") \(match.timestamp) \(match.type)"
      return "\(row.sessionId): \(event) \(match.field): \(match.text)"
    }.joined(separator: "\n")
  }

  private static func compare(
    _ twins: Twins, _ scope: ReadScope, _ text: String, as form: @escaping (String) -> String = { $0 }
  ) async throws -> String {
    var filter = SessionFilter()
    filter.query = try SearchQuery(text, in: .sessions)
    let asked = filter
    var said = ""
    try await twins.compare(text) {
      try await SQLiteSessions(store: twins.store, patience: 60)
        .list(scope, asked, before: nil, limit: 100, now: now).page.rows
    } _: {
      try await ClickHouseSessions(telemetry: $0, patience: .seconds(60))
        .list(scope, asked, before: nil, limit: 100, now: now).page.rows
    } as: { rows, events in
      said = form(lines(rows, events))
      return said
    }
    return said
  }

  private static let searches: [(text: String, parts: [String])] = [
    // The first error comes before what was earlier.
    ("declined", ["crashing: app dev.example.shop", "log message: card declined: 100%", "strange: "]),
    // Not what the row shows itself.
    ("mira", ["crashing: -"]), ("mira café", ["crashing: ", "destination: Café Menü"]),
    ("last words", ["ending: ", "log message: the last words"]),
    // The fields decide which of several it is.
    ("declined type:log", ["crashing: ", "log message"]), ("url:menu", ["network_request url: "]),
    ("message:funds", ["handled_exception errorMessage: no funds"]), (#""card declined""#, ["log message: card"]),
    ("pay status:503", ["network_request url: "]),
    // Nothing of words.
    ("status:5xx", ["network_request statusCode: POST /v1/pay: 503"]), ("503", ["crashing: "]),
    ("has:failed", ["network_request statusCode: POST /v1/pay: 503"]), ("has:request", ["POST /v1/pay: 503"]),
    ("screen:menü", ["navigation destination: Café Menü"]),
    ("screen:checkout", ["navigation destination: Checkout"]),
    ("type:storage", ["storage_changed key: cart"]), ("has:crash", ["crash "]), ("has:hang", ["strange: ", "hang "]),
    ("has:error", ["crashing: ", "strange: "]), ("has:issue", ["issue: "]),
    ("issue:pay", ["handled_exception issue: "]),
    ("sigsegv", ["crashing: "]), ("Cart.total", ["crashing: "]), ("ann line", ["many-0: ", "log message: line 0"]),
    // A word is in no event together with the others.
    ("declined checkout_started", ["crashing: "]), ("nowhere", []), ("-declined", ["calm: -"]),
  ]

  @Test(arguments: searches)
  func `is the event that the index says`(text: String, parts: [String]) async throws {
    let twins = try await Twins.story
    let said = try await Self.compare(twins, try twins.store.everything(), text)
    for part in parts { #expect(said.contains(part), "\(text): \(said)") }
    #expect(!said.contains(": ? "))
  }

  /// Two sessions that are called the same, and one text in two projects.
  @Test func `is an event of the session's own, and of what the reader may see`() async throws {
    let twins = try await Twins.story
    let everything = try twins.store.everything()
    let twin = try await Self.compare(twins, everything, "calm of")
    #expect(twin.contains("app dev.example.other \(StoryDeliveries.launch(5))"))
    for (bundle, text, own) in [
      (StoryDeliveries.other, "declined", "strange"), (StoryDeliveries.shop, "declined", "crashing"),
      (StoryDeliveries.other, "has:error", "strange"), (StoryDeliveries.other, "type:log", "calm"),
    ] {
      let said = try await Self.compare(twins, try await twins.store.only(bundle), text) {
        $0.replacing("@dev.example.other", with: "")
      }
      #expect(said.contains("\(own): app \(bundle) "))
      #expect(!said.contains("app \(bundle == StoryDeliveries.shop ? StoryDeliveries.other : StoryDeliveries.shop) "))
    }
  }

  @Test func `is left out where there is no time for it, and the list is there`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    var filter = SessionFilter()
    filter.query = try SearchQuery("declined has:error", in: .sessions)
    for twin in twins.twins {
      let rows = try await ClickHouseSessions(telemetry: twin.telemetry, patience: .zero)
        .list(scope, filter, before: nil, limit: 100, now: Self.now).page.rows
      #expect(rows.count == 2)
      #expect(rows.allSatisfy { $0.match == nil })
    }
  }

  @Test func `what takes too long is ended, and what went wrong is told`() async throws {
    struct Odd: Error {}
    let soon = SpareTime(end: .now + .milliseconds(50))
    // Waits for as long as nobody ends it.
    let late: Int? = try await soon.run {
      while true { try await Task.sleep(for: .seconds(3600)) }
    }
    #expect(late == nil)
    let spare = SpareTime(end: .now + .seconds(600))
    let one = try await spare.run { 1 }
    #expect(one == 1)
    await #expect(throws: Odd.self) { let _: Int? = try await spare.run { throw Odd() } }
    let broad: Int? = try await spare.run { throw ClickHouseError(.server(code: 241), "memory") }
    #expect(broad == nil)
    let waiting = Task { try await spare.run { try await Task.sleep(for: .seconds(3600)) } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
