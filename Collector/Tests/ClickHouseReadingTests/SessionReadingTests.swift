import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// Sessions, people and launches: what the index says of the same deliveries is what ClickHouse has to say.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct SessionReadingTests {
  /// When nothing is live any more.
  private static let now: Int64 = 1_700_900_000_000

  private static func filters() throws -> [(name: String, filter: SessionFilter)] {
    var filters: [(String, SessionFilter)] = [("everything", SessionFilter())]
    func add(_ name: String, _ change: (inout SessionFilter) throws -> Void) rethrows {
      var filter = SessionFilter()
      try change(&filter)
      filters.append((name, filter))
    }
    for order in [SessionFilter.Order.longest, .events, .errors] { add("by \(order)") { $0.order = order } }
    for words in ["mira", "declined", "pay", "declined mira"] {
      try add("by relevance of \(words)") {
        $0.order = .relevance
        $0.query = try SearchQuery(words, in: .sessions)
      }
    }
    add("by relevance of nothing") { $0.order = .relevance }
    add("a user") { $0.user = SearchPattern("MIRA@") }
    add("a tag") { $0.tag = SearchPattern("plan=PRO") }
    add("a tag's part") { $0.tag = SearchPattern("Köln") }
    add("a screen") { $0.screen = SearchPattern("menü") }
    add("words of a URL") { $0.url = SearchPattern("v1 pay") }
    add("words of a message") { $0.message = SearchPattern("declined") }
    add("a time") { ($0.from, $0.to) = (StoryDeliveries.start + 65_000, StoryDeliveries.start + 201_500) }
    add("an app") { $0.facets = [.app: [StoryDeliveries.other]] }
    add("versions") { $0.facets = [.version: ["2.10", "3.1"]] }
    add("a device") { $0.facets = [.device: ["iPad13,1"]] }
    add("a system") { $0.facets = [.os: ["iOS 18.1"]] }
    add("an end") { $0.facets = [.ended: ["out_of_memory"]] }
    add("no end") { $0.facets = [.ended: ["none"]] }
    for name in SessionFilter.has { add("has \(name)") { $0.facets = [.has: [name]] } }
    add("has two") { $0.facets = [.has: ["crash", "failed"]] }
    for query in [
      "declined", "decl", "DECLINED card", "cafe", "menu", "koln", "-declined", "503", "mira", "eve", "—", "sigsegv",
      "Cart.total",
      #""card declined""#, "user:mira", "app:other", "version:2.1", "version:2.10", "version:3", "device:ipad",
      "os:ios",
      "session:many", "session:calm", "tag:plan=pro", "tag:gold", "screen:checkout", "url:menu", "message:funds",
      "issue:pay",
      "status:5xx", "status:503", "-status:5xx", "type:storage", "type:crash", "ended:out", "-ended:out", "ended:none",
      "has:crash",
      "has:hang", "has:error", "has:failed", "has:request", "has:issue", "-has:issue", "has:live", "duration:>1s",
      "duration:<1s",
      "events:>3", "events:=1", "errors:>0", "errors:0 events:<9", "launch:10000000", "calm -user:eve", "line",
      "ann line",
    ] {
      try add(query) { $0.query = try SearchQuery(query, in: .sessions) }
    }
    return filters
  }

  private static func lines(_ rows: [SessionRow], _ filter: SessionFilter) -> String {
    let lines = rows.map(\.described)
    // Of the same length, or of as many events, one may stand before or behind another.
    return (filter.order == .newest || filter.order == .relevance ? lines : lines.sorted()).joined(separator: "\n")
  }

  @Test func `Lists of sessions are the same, whatever is asked for`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for (name, filter) in try Self.filters() {
      try await twins.compare(name) {
        try await SQLiteSessions(store: twins.store, patience: 60)
          .list(scope, filter, before: nil, limit: 100, now: Self.now).page.rows
      } _: {
        let page = try await ClickHouseSessions(telemetry: $0, patience: .seconds(60))
          .list(scope, filter, before: nil, limit: 100, now: Self.now).page
        #expect(zip(page.rows, page.rows.dropFirst()).allSatisfy { $0.place.key >= $1.place.key })
        #expect(!page.isFull)
        return page.rows
      } as: { rows, _ in
        Self.lines(rows, filter)
      }
    }
  }

  @Test func `Pages of sessions are the list, in pieces, of whatever weight`() async throws {
    let twins = try await Twins.pages
    let scope = try twins.store.everything()
    func all(_ reading: any SessionReading, _ order: SessionFilter.Order) async throws -> [SessionRow] {
      var filter = SessionFilter()
      filter.order = order
      var rows: [SessionRow] = []
      var cursor: PageCursor?
      repeat {
        let page = try await reading.list(scope, filter, before: cursor, limit: 4, now: Self.now).page
        rows += page.rows
        #expect(page.rows.count <= 3)
        cursor = try page.next(\.place).map { try PageCursor($0) }
      } while cursor != nil && rows.count < 100
      return rows
    }
    for order in [SessionFilter.Order.newest, .longest, .events, .errors] {
      var filter = SessionFilter()
      filter.order = order
      try await twins.compare("by \(order)") {
        try await all(SQLiteSessions(store: twins.store), order)
      } _: {
        try await all(ClickHouseSessions(telemetry: $0), order)
      } as: { rows, _ in
        Self.lines(rows, filter)
      }
    }
  }

  @Test func `Facets count the same`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for (name, filter) in try Self.filters() {
      try await twins.compare(name) {
        try await SQLiteSessions(store: twins.store).facets(scope, filter, now: Self.now)
      } _: {
        try await ClickHouseSessions(telemetry: $0).facets(scope, filter, now: Self.now)
      } as: { facets, _ in
        var json = JSONOutput()
        json.object { facets.writeMembers(to: &$0) }
        return String(buffer: json.buffer)
      }
    }
  }

  @Test func `A session, its launches and its name are the same; each project sees its own`() async throws {
    let twins = try await Twins.story
    let scopes = [
      try twins.store.everything(), try await twins.store.only(StoryDeliveries.shop),
      try await twins.store.only(StoryDeliveries.other),
    ]
    for (index, scope) in scopes.enumerated() {
      for id in [
        "crashing", "calm", "strange", "many-3", "launch:\(StoryDeliveries.launch(3))", "none", "calm@none", "it's",
      ] {
        try await twins.compare("\(id) by \(index)") {
          // To who sees one project only, its session is called as the app calls it.
          let isTwin = index == 2 && id == "calm"
          return try await SQLiteSessions(store: twins.store).session(
            scope, isTwin ? "calm@dev.example.other" : id, now: Self.now)
        } _: {
          let reading = ClickHouseSessions(telemetry: $0)
          let session = try await reading.session(scope, id, now: Self.now)
          #expect(try await reading.exists(scope, id) == (session != nil))
          return session
        } as: { found, _ in
          guard var found else { return "none" }
          if index == 2 { found.session.sessionId = String(found.session.sessionId.prefix { $0 != "@" }) }
          return ([found.session.described] + found.launches.rows.map(\.described).sorted()).joined(separator: "\n")
        }
      }
    }
    try await twins.compare("the other one") {
      try await SQLiteSessions(store: twins.store).session(scopes[0], "calm@dev.example.other", now: Self.now)?.session
    } _: {
      try await ClickHouseSessions(telemetry: $0).session(scopes[0], "calm@dev.example.other", now: Self.now)?.session
    } as: {
      $0?.described ?? "\($1.count)"
    }
    for (index, scope) in scopes.enumerated() {
      try await twins.compare("listed by \(index)") {
        try await SQLiteSessions(store: twins.store).list(
          scope, SessionFilter(), before: nil, limit: 100, now: Self.now
        ).page.rows
      } _: {
        try await ClickHouseSessions(telemetry: $0).list(scope, SessionFilter(), before: nil, limit: 100, now: Self.now)
          .page.rows
      } as: { rows, _ in
        rows.map { index == 2 ? $0.described.replacing("@dev.example.other", with: "") : $0.described }.joined(
          separator: "\n")
      }
    }
  }

  @Test func `A session is live while it may go on`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for now in [Twins.received + 10_000, Twins.received + 86_400_000 + 10_000] {
      // What came again on another day is no news to the index.
      try await twins.compare("at \(now)") {
        try await SQLiteSessions(store: twins.store).list(scope, SessionFilter(), before: nil, limit: 100, now: now)
          .page.rows
      } _: {
        try await ClickHouseSessions(telemetry: $0).list(scope, SessionFilter(), before: nil, limit: 100, now: now).page
          .rows
      } as: { rows, _ in
        rows.filter { $0.isLive && $0.sessionId != "crashing" }.map(\.sessionId).joined(separator: " ")
      }
    }
  }

  @Test func `People are what their sessions add up to`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for (name, app) in [
      ("mira@example.com", nil), ("eve", nil), ("ann", StoryDeliveries.shop), ("ann", "none"), ("Eve", nil),
    ] {
      try await twins.compare("\(name) of \(app ?? "all")") {
        try await SQLiteSessions(store: twins.store).user(scope, name, app: app)
      } _: {
        try await ClickHouseSessions(telemetry: $0).user(scope, name, app: app)
      } as: { user, _ in
        guard var user else { return "none" }
        user.issues = []
        var json = JSONOutput()
        json.object { user.writeMembers(to: &$0) }
        return String(buffer: json.buffer)
      }
      try await twins.compare("sessions of \(name)") {
        try await SQLiteSessions(store: twins.store)
          .sessions(scope, ofUser: name, app: app, before: nil, limit: 5, now: Self.now).rows
      } _: {
        try await ClickHouseSessions(telemetry: $0)
          .sessions(scope, ofUser: name, app: app, before: nil, limit: 5, now: Self.now).rows
      } as: { rows, _ in
        rows.map(\.described).joined(separator: "\n")
      }
    }
    try await twins.compare("apps") {
      try await SQLiteSessions(store: twins.store).came(fromApps: [StoryDeliveries.shop, StoryDeliveries.other, "none"])
    } _: {
      try await ClickHouseSessions(telemetry: $0).came(fromApps: [StoryDeliveries.shop, StoryDeliveries.other, "none"])
    } as: { apps, _ in
      apps.sorted { $0.key < $1.key }.map { "\($0) \($1.count)" }.joined(separator: " ")
    }
  }

  @Test func `People of whom only summaries came are known`() async throws {
    let twins = try await Twins.health
    let scope = try twins.store.everything()
    for name in ["ada", "kim", "mira", "noor"] {
      try await twins.compare(name) {
        let user = try await SQLiteSessions(store: twins.store).user(scope, name, app: nil)
        #expect(user != nil, "\(name)")
        return user
      } _: {
        try await ClickHouseSessions(telemetry: $0).user(scope, name, app: nil)
      } as: { user, _ in
        guard var user else { return "none" }
        user.issues = []
        var json = JSONOutput()
        json.object { user.writeMembers(to: &$0) }
        return String(buffer: json.buffer)
      }
    }
  }

  @Test func `Launches have their ledgers, and what could not be read is kept`() async throws {
    let twins = try await Twins.story
    for scope in [try twins.store.everything(), try await twins.store.only(StoryDeliveries.other)] {
      func pages(_ reading: any LaunchReading) async throws -> [LaunchRow] {
        var rows: [LaunchRow] = []
        var cursor: PageCursor?
        repeat {
          let page = try await reading.list(scope, before: cursor, limit: 3)
          rows += page.rows
          cursor = try page.next(\.place).map { try PageCursor($0) }
        } while cursor != nil && rows.count < 100
        return rows
      }
      try await twins.compare("launches") {
        try await pages(SQLiteLaunches(store: twins.store))
      } _: {
        try await pages(ClickHouseLaunches(telemetry: $0))
      } as: { rows, _ in
        rows.map(\.described).joined(separator: "\n")
      }
      try await twins.compare("quarantine") {
        try await SQLiteLaunches(store: twins.store).quarantine(scope, before: nil, limit: 10).rows
      } _: {
        try await ClickHouseLaunches(telemetry: $0).quarantine(scope, before: nil, limit: 10).rows
      } as: { rows, _ in
        rows.map(\.described).joined(separator: "\n")
      }
    }
  }
}
