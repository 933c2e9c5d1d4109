import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// Events, arrivals and what goes out: what the index says of the same deliveries is what ClickHouse has to say.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(5)))
struct EventReadingTests {
  private static let queries = [
    "declined", "decl", "clined", "CAFE", "café", "503", "mira", "pro", #""card declined""#, #""100% \"sure\"""#,
    "-declined",
    "declined -card", "type:log", "type:log,crash", "type:storage", "level:warning", "level:\"error\"", "-level:info",
    "message:card",
    "message:funds", "name:checkout", "name:started", #"name:"checkout_started""#, "name:check*ted", "field:order=R-20",
    "field:amount",
    "field:isgift=1", "screen:checkout", "screen:menü", "tag:ui", "tag:plan=pro", "status:5xx",
    "-status:2xx type:network", "method:post",
    "host:api", "path:/v1/*", "url:pay?x", "duration:>1s", "user:mira", "app:other", "version:2.2", "device:pixel",
    "os:ios",
    "session:crash", "—", "%", "line", "line 3", "nobody's",
  ]

  /// For who sees one project only, and in the smallest pages.
  private static let few = ["everything", "types", "declined", "pro", "user:mira", "503"]

  private static func filters() throws -> [(name: String, filter: EventFilter)] {
    var filters: [(String, EventFilter)] = [
      ("everything", EventFilter()), ("types", EventFilter(types: ["log", "crash"])),
    ]
    for query in queries {
      filters.append((query, EventFilter(types: [], query: try SearchQuery(query, in: .events))))
    }
    return filters
  }

  private static let sessions = [
    "crashing", "calm", "strange", "many-6", "launch:\(StoryDeliveries.launch(3))", "none",
  ]

  @Test func `Timelines are the same, in pages, whatever is asked for`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for session in Self.sessions {
      for (name, filter) in try Self.filters() where session == "crashing" || name == "everything" {
        func all(_ reading: any EventReading) async throws -> [EventRow]? {
          var rows: [EventRow] = []
          var part = TimelinePart.start
          repeat {
            guard let page = try await reading.timeline(scope, of: session, part, limit: 4, filter: filter)
            else { return nil }
            rows += page.rows
            guard let next = part.next(page) else { break }
            part = .after(try PageCursor(next))
          } while rows.count < 100
          return rows
        }
        try await twins.compare("\(session): \(name)") {
          try await all(SQLiteEvents(store: twins.store))
        } _: {
          try await all(ClickHouseEvents(telemetry: $0))
        } as: { rows, events in
          rows?.map { $0.described(events) }.joined(separator: "\n") ?? "none"
        }
      }
    }
  }

  @Test func `Timelines read backwards are the same as forwards`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for session in Self.sessions {
      for (name, filter) in try Self.filters() where session == "crashing" || name == "everything" {
        func back(_ reading: any EventReading) async throws -> [EventRow]? {
          var rows: [EventRow] = []
          var part = TimelinePart.before(PageCursor(key: .max, id: 0))
          while true {
            guard let page = try await reading.timeline(scope, of: session, part, limit: 3, filter: filter)
            else { return nil }
            rows = page.rows + rows
            guard let next = part.next(page) else { return rows }
            part = .before(try PageCursor(next))
          }
        }
        let index = SQLiteEvents(store: twins.store)
        let forwards = try await index.timeline(scope, of: session, .start, limit: 1000, filter: filter)
        #expect(try await back(index)?.map(\.id) == forwards?.rows.map(\.id), "\(session): \(name)")
        try await twins.compare("\(session): \(name)") {
          try await back(index)
        } _: {
          try await back(ClickHouseEvents(telemetry: $0))
        } as: { rows, events in
          rows?.map { $0.described(events) }.joined(separator: "\n") ?? "none"
        }
      }
    }
  }

  @Test func `Outlines are the same, whole, found and what is new of them`() async throws {
    let twins = try await Twins.story
    let scope = try twins.store.everything()
    for session in Self.sessions {
      for (name, filter) in try Self.filters() where session == "crashing" || name == "everything" {
        try await twins.compare("\(session): \(name)") {
          try await SQLiteEvents(store: twins.store).outline(scope, of: session, newer: nil, query: filter.query)
        } _: {
          try await ClickHouseEvents(telemetry: $0).outline(scope, of: session, newer: nil, query: filter.query)
        } as: {
          try $0?.described($1) ?? "none"
        }
      }
    }
    let none = SearchQuery(everythingIn: .events)
    let owner = "app \(StoryDeliveries.shop) \(StoryDeliveries.launch(1))"
    let own = twins.events.filter { $0.value.hasPrefix(owner) }.sorted { $0.key < $1.key }
    let place = own[own.count / 2]
    let wanted = try await SQLiteEvents(store: twins.store)
      .outline(scope, of: "crashing", newer: place.key, query: none)?.described(twins.events)
    for twin in twins.twins {
      let newer = try #require(twin.events.filter { $0.value == place.value }.keys.min())
      let found = try await ClickHouseEvents(telemetry: twin.telemetry)
        .outline(scope, of: "crashing", newer: newer, query: none)?.described(twin.events)
      #expect(found == wanted, "\(twin.name)")
    }
  }

  @Test func `Events are found by their numbers, and what was before them`() async throws {
    let twins = try await Twins.story
    let index = SQLiteEvents(store: twins.store)
    let scope = try twins.store.everything()
    let stranger = try await twins.store.only(StoryDeliveries.other)
    let names = twins.events.values.filter { $0.contains("\(StoryDeliveries.launch(1))") }.sorted()
    func numbers(_ events: [Int64: String]) -> [Int64] {
      names.map { name in events.filter { $0.value == name }.keys.min() ?? -1 }
    }
    func described(_ rows: [EventRow], _ events: [Int64: String]) -> String {
      rows.map { $0.described(events) }.joined(separator: "\n")
    }
    let wanted = try await index.events(scope, numbers(twins.events), of: "crashing", after: nil).rows
    for twin in twins.twins {
      let reading = ClickHouseEvents(telemetry: twin.telemetry)
      let own = numbers(twin.events)
      let rows = try await reading.events(scope, own, of: "crashing", after: nil).rows
      #expect(described(rows, twin.events) == described(wanted, twins.events), "\(twin.name)")
      #expect(try await reading.events(scope, own, of: "calm", after: nil).rows.isEmpty)
      #expect(try await reading.events(stranger, own, of: "crashing", after: nil).rows.isEmpty)
      let middle = try #require(rows.dropFirst(4).first)
      let rest = try await reading.events(scope, own, of: "crashing", after: EventOrder.cursor(middle)).rows
      #expect(described(rest, twin.events) == described(Array(rows.dropFirst(5)), twin.events))
      // The number of a copy is nobody's.
      for copy in Set(twin.events.filter { names.contains($0.value) }.keys).subtracting(own) {
        #expect(try await reading.event(scope, copy) == nil)
      }
      for (mine, theirs) in zip(own, numbers(twins.events)) {
        let found = try await reading.event(scope, mine)
        let same = try await index.event(scope, theirs)
        #expect(found?.event.described(twin.events) == same?.event.described(twins.events))
        #expect(found?.app == same?.app)
        #expect(try await reading.event(stranger, mine) == nil)
        guard let found, let same else { continue }
        for launch in [nil, "\(StoryDeliveries.launch(1))", "none"] {
          let before = try await reading.before(scope, found.event, launch: launch, limit: 3)
          let wanted = try await index.before(scope, same.event, launch: launch, limit: 3)
          #expect(described(before, twin.events) == described(wanted, twins.events), "\(launch ?? "any launch")")
        }
      }
    }
  }

  @Test func `The newest events are the same, in pages, whatever is asked for`() async throws {
    let twins = try await Twins.story
    let scopes = [try twins.store.everything(), try await twins.store.only(StoryDeliveries.other)]
    for (number, scope) in scopes.enumerated() {
      for (name, filter) in try Self.filters() where number == 0 || Self.few.contains(name) {
        let limit = Self.few.contains(name) ? 7 : 20
        func all(_ reading: any EventReading) async throws -> [EventRow] {
          var rows: [EventRow] = []
          var cursor: PageCursor?
          repeat {
            let page = try await reading.newest(scope, before: cursor, limit: limit, filter: filter)
            rows += page.events
            cursor = page.next
          } while cursor != nil && rows.count < 100
          return rows
        }
        try await twins.compare("\(name) by \(number)") {
          try await all(SQLiteEvents(store: twins.store))
        } _: {
          try await all(ClickHouseEvents(telemetry: $0))
        } as: { rows, events in
          rows.map { $0.described(events) }.joined(separator: "\n")
        }
      }
    }
  }

  @Test func `What arrives is told in order and once, to each what is theirs`() async throws {
    let twins = try await Twins.story
    let scopes = [try twins.store.everything(), try await twins.store.only(StoryDeliveries.shop)]
    for (number, scope) in scopes.enumerated() {
      for (name, filter) in try Self.filters() where number == 0 || Self.few.contains(name) {
        let limit = Self.few.contains(name) ? 6 : 20
        func all(_ reading: any ArrivalReading) async throws -> [EventRow] {
          var rows: [EventRow] = []
          var (last, isBehind): (Int64, Bool) = (0, true)
          while isBehind {
            let more = try await reading.following(scope, last, limit: limit, filter: filter)
            rows += more.events
            #expect(more.upTo > last || !more.isBehind)
            (last, isBehind) = (more.upTo, more.isBehind)
          }
          return rows
        }
        try await twins.compare("\(name) by \(number)") {
          try await all(SQLiteEvents(store: twins.store))
        } _: {
          try await all(ClickHouseArrivals(telemetry: $0, order: twins.order))
        } as: { rows, events in
          rows.map { $0.described(events) }.joined(separator: "\n")
        }
      }
    }
  }

  @Test func `What goes out is the same, with its contexts and launches`() async throws {
    let twins = try await Twins.pages
    let scope = try twins.store.everything()
    for spans in [nil, true, false] {
      func all(_ reading: any OutgoingReading) async throws -> (rows: [OutgoingRow], others: [String]) {
        let session = try await reading.session(scope, "crashing", spans: spans)
        var others = ["\(session.first ?? 0) \(session.last ?? 0) \(session.bundleId ?? "") \(session.version ?? "")"]
        var rows: [OutgoingRow] = []
        var cursor: PageCursor?
        repeat {
          let page = try await reading.page(scope, session, after: cursor)
          rows += page.rows
          cursor = page.isFull ? page.rows.last.map { PageCursor(key: $0.timestamp, id: $0.id) } : nil
        } while cursor != nil && rows.count < 100
        for row in rows {
          others.append(String(decoding: try await reading.context(scope, of: row) ?? Data(), as: UTF8.self))
        }
        for launch in try await reading.launches(scope, of: session) {
          others.append("\(launch.given) \(launch.last ?? 0) \(launch.memory.map { "\($0)" } ?? "none")")
          others.append("\(rows.count { $0.launch == launch.row })")
        }
        return (rows, others)
      }
      try await twins.compare("spans \(spans.map { "\($0)" } ?? "or not")") {
        try await all(SQLiteOutgoing(store: twins.store))
      } _: {
        try await all(ClickHouseOutgoing(telemetry: $0))
      } as: { found, events in
        (found.rows.map { $0.described(events) } + found.others).joined(separator: "\n")
      }
    }
    for twin in twins.twins {
      let error = await #expect(throws: APIError.self) {
        try await ClickHouseOutgoing(telemetry: twin.telemetry).session(scope, "none", spans: nil)
      }
      #expect(error?.status == .notFound)
    }
  }
}
