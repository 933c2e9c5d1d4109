import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileCollector

/// Issues: what the index says after the same deliveries and decisions is what ClickHouse has to say.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct IssueReadingTests {
  private static let queries = [
    "declined", "card declined", "\"was declined\"", "-declined", "network", "SIGSEGV", "checkout", "mira", "eve",
    "-mira",
    "Tom", "2.3", "hang", "Feed.layout", "kind:crash", "kind:hang,failure", "title:card", "message:gone",
    "type:PaymentError", "function:Feed", "function:price", "-function:price", "assignee:Tom",
    "-assignee:Tom", "app:shop2", "app:shop", "version:2.3", "version:2", "-version:2.1", "reports:>2", "reports:1",
    "sessions:>1", "sessions:>=3", "status:open", "status:resolved", "status:ignored", "status:regressed",
    "-status:ignored", "user:noor", "-user:noor", "device:iPad", "os:ios", "session:session-2", "declined user:eve",
    "file:checkout.c",
  ]

  /// What lists are asked for.
  ///
  /// - Parameter queries: those besides that search.
  private static func filters(_ queries: [String]) throws -> [(name: String, filter: IssueQuery.Filter)] {
    var filters: [(String, IssueQuery.Filter)] = []
    func add(_ name: String, _ change: (inout IssueQuery.Filter) throws -> Void) rethrows {
      var filter = IssueQuery.Filter()
      try change(&filter)
      filters.append((name, filter))
    }
    for order in IssueQuery.Order.allCases { add("by \(order)") { $0.order = order } }
    add("kinds") { $0.kinds = ["crash", "hang"] }
    add("a version") { $0.version = "2.2" }
    add("an app") { $0.bundleId = IssueDeliveries.other }
    for status in IssueStatus.allCases { add("\(status)") { $0.status = status } }
    add("regressed") { $0.regressed = true }
    add("an assignee") { $0.assignee = "Tom" }
    for query in queries { try add(query) { $0.query = try SearchQuery(query, in: .issues) } }
    return filters
  }

  private static func compareAll(
    _ twins: IssueTwins, _ moment: String, searching queries: [String] = ["network", "function:price", "-user:noor"]
  ) async throws {
    let scope = try twins.index.everything()
    for (name, filter) in try filters(queries) {
      try await twins.compare("\(moment): \(name)") {
        try await $0.list(scope, filter, before: nil, limit: 50, now: IssueDeliveries.now).rows
      } as: { rows, events in
        let lines = rows.map { $0.described(events) }
        // Of as many reports or sessions, one may stand before or behind another.
        return (filter.order == .last || filter.order == .first ? lines : lines.sorted()).joined(separator: "\n")
      }
    }
    let names = try await SQLiteIssues(store: twins.index)
      .list(scope, IssueQuery.Filter(), before: nil, limit: 50, now: IssueDeliveries.now).rows.map(\.name)
    #expect(!names.isEmpty)
    for name in names + ["nothing"] {
      try await twins.compare("\(moment): \(name)") {
        try await $0.issue(scope, name, now: IssueDeliveries.now)
      } as: { answer, events in
        answer?.described(events) ?? "none"
      }
      try await twins.compare("\(moment): live \(name)") {
        try await $0.exists(scope, name) ? try await $0.live(name) : []
      } as: { live, _ in
        live.map { "\($0.timestamp) \($0.version ?? "none")" }.joined(separator: "\n")
      }
    }
    for kinds in [[], ["crash"]] {
      try await twins.compare("\(moment): reports \(kinds)") {
        try await $0.reports(scope, kinds: kinds, before: nil, limit: 100).rows
      } as: { rows, events in
        // Each store has numbers of its own.
        rows.map { "\($0.report.described(events)) \($0.issue.name) \($0.issue.title)" }.sorted().joined(
          separator: "\n")
      }
    }
  }

  /// The issue with a report of these words.
  private static func name(_ query: String, _ issues: any IssueReading, _ scope: ReadScope) async throws -> String {
    var filter = IssueQuery.Filter()
    filter.query = try SearchQuery(query, in: .issues)
    let rows = try await issues.list(scope, filter, before: nil, limit: 5, now: IssueDeliveries.now).rows
    try #require(rows.count == 1, "\(query): \(rows.map(\.title))")
    return rows[0].name
  }

  @Test func `Issues are the same, whatever is decided and whatever comes back`() async throws {
    let program = try await CheckoutProgram.shared
    let twins = try await IssueTwins("issue_twins")
    let (scope, start, hour) = (try twins.index.everything(), IssueDeliveries.start, IssueDeliveries.hour)
    try await twins.deliver(try IssueDeliveries.first(program))
    try await Self.compareAll(twins, "at first")

    try await twins.decide { here in
      let card = try await Self.name("declined app:\"dev.example.shop\"", here.issues, scope)
      let network = try await Self.name("network", here.issues, scope)
      let hang = try await Self.name("kind:hang", here.issues, scope)
      #expect(try await here.states.set(.resolved, of: card, fix: .from("2.3"), by: "Lea", at: start + 10 * hour))
      #expect(try await here.states.set(.ignored, of: hang, fix: nil, by: "Lea", at: start + 10 * hour))
      #expect(try await here.notes.assign(network, to: "Tom", by: "Lea", at: start + 11 * hour))
      #expect(try await here.notes.comment(network, "Who knows?", by: "Lea", at: start + 12 * hour))
      #expect(try await !here.notes.comment("nothing", "Who knows?", by: "Lea", at: start + 12 * hour))
    }
    try await Self.compareAll(twins, "decided")

    try await twins.deliver(IssueDeliveries.second)
    // Everything that can be looked for, once.
    try await Self.compareAll(twins, "come back", searching: Self.queries)
    let returned = try await SQLiteIssues(store: twins.index).issue(
      scope, try await Self.name("declined app:\"dev.example.shop\"", SQLiteIssues(store: twins.index), scope),
      now: IssueDeliveries.now)
    #expect(returned?.issue.state?.regressedIn == "2.3" && returned?.history.first?.what == "regressed")

    // Two crashes become one, since their functions are known.
    _ = try await twins.symbolizer.store.add(program.path, name: "checkout")
    try await twins.look()
    try await Self.compareAll(twins, "with symbols")
    try await twins.decide { here in
      let card = try await Self.name("declined app:\"dev.example.shop\"", here.issues, scope)
      let network = try await Self.name("network", here.issues, scope)
      let crash = try await Self.name("function:price", here.issues, scope)
      #expect(try await here.states.set(.resolved, of: crash, fix: nil, by: "Lea", at: start + 25 * hour))
      try await here.merges.merge([network], into: card, by: "Lea", at: start + 26 * hour)
      await #expect(throws: APIError.self) {
        try await here.merges.merge([crash], into: card, by: "Lea", at: start + 26 * hour)
      }
    }
    try await Self.compareAll(twins, "merged")

    try await twins.deliver(try IssueDeliveries.third(program))
    try await Self.compareAll(twins, "come back by its symbols")
    try await twins.decide { here in
      let crash = try await Self.name("function:price", here.issues, scope)
      #expect(try await here.issues.issue(scope, crash, now: IssueDeliveries.now)?.issue.state?.regressedIn == "2.4")
      let card = try await Self.name("declined app:\"dev.example.shop\"", here.issues, scope)
      let merged = try #require(try await here.issues.issue(scope, card, now: IssueDeliveries.now)?.merged.first)
      #expect(merged.count == 2)
      try await here.merges.split(merged.name, from: card, by: "Lea", at: start + 35 * hour)
    }
    // What the index looks issues up by is written anew.
    try await twins.look()
    try await Self.compareAll(twins, "split")
    try await Self.compareWall(twins)
    try await Self.comparePages(twins)
    try await Self.comparePeople(twins)
    try await Self.checkArrivals(twins)
  }

  private static func compareWall(_ twins: IssueTwins) async throws {
    let scope = try await twins.index.only(IssueDeliveries.other)
    try await twins.compare("behind a wall") {
      try await $0.list(scope, IssueQuery.Filter(), before: nil, limit: 50, now: IssueDeliveries.now).rows
    } as: { rows, events in
      rows.map { $0.described(events) }.joined(separator: "\n")
    }
    let everything = try twins.index.everything()
    for twin in twins.twins {
      let hidden = try await name("declined app:\"dev.example.shop\"", twin.issues, everything)
      #expect(try await !twin.issues.exists(scope, hidden))
      #expect(try await twin.issues.issue(scope, hidden, now: IssueDeliveries.now) == nil)
      let reports = try await twin.issues.reports(everything, kinds: [], before: nil, limit: 100).rows
      for report in reports where report.issue.bundleId != IssueDeliveries.other {
        #expect(try await twin.issues.name(scope, ofEvent: report.report.event) == nil)
        #expect(try await twin.issues.name(everything, ofEvent: report.report.event) == report.issue.name)
      }
      #expect(try await twin.issues.reports(scope, kinds: [], before: nil, limit: 100).rows.count == 1)
    }
  }

  private static func comparePages(_ twins: IssueTwins) async throws {
    let scope = try twins.index.everything()
    for order in IssueQuery.Order.allCases {
      var filter = IssueQuery.Filter()
      filter.order = order
      try await twins.compare("pages by \(order)") { issues in
        var (names, cursor): ([String], PageCursor?) = ([], nil)
        repeat {
          let page = try await issues.list(scope, filter, before: cursor, limit: 2, now: IssueDeliveries.now)
          names += page.rows.map(\.name)
          cursor = page.isFull ? page.rows.last?.cursor(order) : nil
        } while cursor != nil
        return order == .last || order == .first ? names : names.sorted()
      } as: { names, _ in
        names.joined(separator: "\n")
      }
    }
    for twin in twins.twins {
      var (events, before): ([Int64], Int64?) = ([], nil)
      repeat {
        let page = try await twin.issues.reports(scope, kinds: [], before: before, limit: 3)
        events += page.rows.map(\.report.event)
        before = page.isFull ? page.rows.last?.report.event : nil
      } while before != nil
      #expect(events.count == 14 && events == events.sorted(by: >) && Set(events).count == events.count)
    }
  }

  private static func comparePeople(_ twins: IssueTwins) async throws {
    let scope = try twins.index.everything()
    for name in ["mira", "noor"] {
      let wanted = try await SQLiteSessions(store: twins.index).user(scope, name, app: nil)?.issues ?? []
      #expect(!wanted.isEmpty)
      for twin in twins.twins {
        let found = try await ClickHouseSessions(telemetry: twin.telemetry, state: twin.store.beside).user(
          scope, name, app: nil)?.issues
        func lines(_ issues: [UserAnswer.Issue]) -> [String] { issues.map { "\($0)" }.sorted() }
        #expect(lines(found ?? []) == lines(wanted), "\(name) in \(twin.name)")
      }
    }
  }

  /// What alerts ask for.
  private static func checkArrivals(_ twins: IssueTwins) async throws {
    for twin in twins.twins {
      let all = try await twin.issues.arrived(after: 0, version: nil, limit: 1000)
      #expect(all.touched.reduce(0) { $0 + $1.reports } == 14 && !all.isPartial)
      let newest = try await twin.issues.newest()
      #expect(all.upTo == newest && all.touched.allSatisfy { !$0.isKnown })
      #expect(try await twin.issues.arrived(after: all.upTo, version: nil, limit: 1000).touched.isEmpty)
      // In steps, each report once.
      var (reports, place, steps, isKnown): (Int64, Int64, Int, Bool) = (0, 0, 0, false)
      while true {
        let some = try await twin.issues.arrived(after: place, version: nil, limit: 2)
        reports += some.touched.reduce(0) { $0 + $1.reports }
        isKnown = isKnown || some.touched.contains { $0.isKnown }
        #expect(some.upTo > place && (steps > 0 || !isKnown))
        (place, steps) = (some.upTo, steps + 1)
        guard some.isPartial else { break }
      }
      #expect(reports == 14 && steps > 1 && isKnown)
      let later = try await twin.issues.arrived(after: 0, version: "2.3", limit: 1000)
      let card = try #require(later.touched.first)
      #expect(later.touched.count == 1 && card.reports == 1 && card.version == "2.3")
      let (start, hour) = (IssueDeliveries.start, IssueDeliveries.hour)
      #expect(
        try await twin.issues.times(of: card.issue.name, from: start + 1, to: start + 20 * hour, version: nil)
          == [2, 5, 20].map { start + $0 * hour })
      #expect(try await twin.issues.row(of: card.issue.name)?.title == card.issue.title)
    }
  }
}
