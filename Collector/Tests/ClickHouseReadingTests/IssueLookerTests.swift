import ClickHouseTestServer
import Foundation
import Testing

@testable import AutoMobileClickHouse
@testable import AutoMobileCollector

/// Whoever looks at reports may end at any moment, and another one goes on.
@Suite(
  .enabled(if: ClickHouseServer.program != nil, "\(ClickHouseServer.missing)"), .serialized, .timeLimit(.minutes(10)))
struct IssueLookerTests {
  /// Ten reports of one problem, in ten sessions, that are on both shards.
  private static func deliveries(from number: Int, at time: Int64, version: String = "2.1") -> [Delivery] {
    (number..<number + 10).map { number in
      IssueDeliveries.delivery(number, user: "user-\(number)", version: version) {
        $0.failure("Card \(number) was declined", at: time + Int64(number))
      }
    }
  }

  @Test(arguments: ["beforeRows", "withinRows", "behindRows"])
  func `An end between the state and ClickHouse loses nothing, and nothing is told twice`(_ name: String) async throws {
    let end: LookerStage.End = name == "beforeRows" ? .beforeRows : name == "withinRows" ? .withinRows : .behindRows
    let stage = try await LookerStage("looker_\(name.lowercased())")
    let (start, hour) = (IssueDeliveries.start, IssueDeliveries.hour)
    for delivery in Self.deliveries(from: 100, at: start) { try await stage.deliver(delivery) }
    try await stage.look()
    let issue = try #require(try await stage.list().first)
    #expect(issue.events == 10 && issue.sessions == 10)
    let before = try await stage.issues.newest()
    #expect(try await stage.states().set(.resolved, of: issue.name, fix: nil, by: "Lea", at: start + hour))

    for delivery in Self.deliveries(from: 200, at: start + 9 * hour, version: "2.2") {
      try await stage.deliver(delivery)
    }
    stage.end.withLockedValue { $0 = end }
    await #expect(throws: LookerStage.Ended.self) { try await stage.look() }
    #expect(try await stage.changes(issue.name) == ["regressed", "status"])
    // What may not be there is not offered to whoever follows.
    #expect(try await stage.issues.newest() == before)
    // Somebody decides meanwhile; the clocks of the devices are ahead of that, so that it would come back once more.
    #expect(try await stage.states().set(.resolved, of: issue.name, fix: nil, by: "Lea", at: start + 2 * hour))

    stage.end.withLockedValue { $0 = .nowhere }
    try await stage.look()
    #expect(try await stage.changes(issue.name) == ["status", "regressed", "status"])
    let after = try await stage.list()
    #expect(after.count == 1 && after[0].events == 20 && after[0].sessions == 20)
    #expect(after[0].state?.status == "resolved")
    #expect(try await stage.issues.newest() > before)
    let arrived = try await stage.issues.arrived(after: before, version: nil, limit: 100)
    #expect(arrived.touched.map(\.reports) == [10] && arrived.touched[0].isKnown)
    // Nothing is left to be looked at.
    let written = try await stage.written()
    try await stage.look()
    #expect(try await stage.written() == written)
    #expect(try await stage.changes(issue.name) == ["status", "regressed", "status"])

    // And the next report is told of.
    try await stage.deliver(
      IssueDeliveries.delivery(300, version: "2.3") { $0.failure("Card 7 was declined", at: start + 20 * hour) })
    try await stage.look()
    #expect(try await stage.changes(issue.name).first == "regressed")
  }

  @Test func `What is erased while no shard takes what was found is not written when one does`() async throws {
    let stage = try await LookerStage("looker_erased")
    for delivery in Self.deliveries(from: 500, at: IssueDeliveries.start) { try await stage.deliver(delivery) }
    let sessions = try await stage.cluster.client.rows(
      "SELECT DISTINCT session FROM \(stage.cluster.readable(TelemetryTables.reports)) ORDER BY session"
    ) { try $0.string() }
    let erased = try #require(sessions.first)
    stage.end.withLockedValue { $0 = .erasing(erased) }
    try await stage.look()
    #expect(try await stage.written() == 9)
    let left = try await stage.cluster.client.rows(
      "SELECT DISTINCT session FROM \(stage.cluster.readable(TelemetryTables.reports)) WHERE revision > 0"
    ) { try $0.string() }
    #expect(!left.contains(erased))
    // As long as it is there: nobody looks at it, and nothing is told of it.
    try await stage.look()
    #expect(try await stage.written() == 9)
  }

  @Test func `What is behind a page of reports that nobody may look at is looked at`() async throws {
    let stage = try await LookerStage("looker_behind")
    let start = IssueDeliveries.start
    for delivery in Self.deliveries(from: 600, at: start) { try await stage.deliver(delivery) }
    let sessions = try await stage.cluster.client.rows(
      "SELECT DISTINCT session FROM \(stage.cluster.readable(TelemetryTables.reports))"
    ) { try $0.string() }
    stage.erased.withLockedValue { $0 = Set(sessions) }
    for delivery in Self.deliveries(from: 700, at: start + IssueDeliveries.hour) { try await stage.deliver(delivery) }
    try await stage.look(page: 4)
    #expect(try await stage.written() == 10)
  }

  @Test func `A report that comes again later is counted once, and told once`() async throws {
    let stage = try await LookerStage("looker_again")
    let (start, hour) = (IssueDeliveries.start, IssueDeliveries.hour)
    let delivery = IssueDeliveries.delivery(400) { $0.failure("Card 1 was declined", at: start + 9 * hour) }
    try await stage.deliver(delivery)
    try await stage.look()
    let issue = try #require(try await stage.list().first)
    #expect(try await stage.states().set(.resolved, of: issue.name, fix: nil, by: "Lea", at: start + hour))
    for days in [0, 1, 30] as [Int64] {
      try await stage.deliver(delivery, again: days * HealthFilter.day)
      try await stage.look()
    }
    let after = try #require(try await stage.list().first)
    #expect(after.events == 1 && after.sessions == 1 && after.state?.status == "resolved")
    #expect(try await stage.changes(issue.name) == ["status"])
    let written = try await stage.written()
    try await stage.look()
    #expect(try await stage.written() == written)
    // Each day has it whole: one can be dropped without the other.
    let days = try await stage.cluster.client.rows(
      "SELECT day, max(revision) > 0 FROM \(stage.cluster.readable(TelemetryTables.reports)) GROUP BY day"
    ) { (try $0.day(), try $0.bool()) }
    #expect(days.count == 3 && days.allSatisfy(\.1))
    // And names its event by the number that it has there.
    let strange = try await stage.cluster.client.rows(
      """
      SELECT count() FROM \(stage.cluster.readable(TelemetryTables.reports)) WHERE revision > 0 AND (day, id) GLOBAL NOT IN \
      (SELECT day, id FROM \(stage.cluster.readable(TelemetryTables.events)))
      """
    ) { try $0.int(UInt64.self) }
    #expect(strange == [0])
  }

  @Test func `What another app made to look like an issue is one of its own`() throws {
    func report(_ bundle: String, _ position: Int64) -> ReportVersion {
      ReportVersion(
        shard: 1, name: ReportName(project: "app \(bundle)", launch: "l", position: position), session: "s",
        id: position,
        timestamp: 1, received: 1, fingerprint: "0123456789abcdef", kind: "failure", cause: "E", bundle: bundle,
        images: [""], functions: "", revision: 0, looked: 0)
    }
    var look = IssueLook(apps: [:])
    for (bundle, position) in [("dev.a", 1), ("dev.b", 2), ("dev.a", 3), ("dev.b", 4)] as [(String, Int64)] {
      look.add(report(bundle, position), nil, nil)
    }
    let names = look.looked.map(\.after.fingerprint)
    #expect(names[0] == "0123456789abcdef" && names[2] == names[0])
    #expect(names[1] == Fingerprint.marked(names[0], bundleId: "dev.b") && names[3] == names[1])
    var later = IssueLook(apps: ["0123456789abcdef": ["dev.b"]])
    later.add(report("dev.a", 5), nil, nil)
    #expect(later.looked[0].after.fingerprint == Fingerprint.marked(names[0], bundleId: "dev.a"))
  }
}
