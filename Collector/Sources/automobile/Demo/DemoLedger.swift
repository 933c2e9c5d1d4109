import Foundation

/// What the collector holds of the demo's launches, against what the app says that it recorded.
struct DemoLedger {
  struct Row: Equatable {
    var launchId = ""
    var end = ""
    var recorded = 0
    var delivered = 0
    var dropped: [String: Int] = [:]
    /// Recorded, and neither delivered nor dropped. More than were recorded also counts: a call that returned is a record.
    var lost = 0
    var duplicated = 0
    /// By the app's independent count.
    var returned = 0
    /// The last word of the launch has come: its ledger is final, or the process has ended after everything arrived.
    var isSettled = false

    var droppedCount: Int { dropped.values.reduce(0, +) }
    /// Calls that may have been under way when the process ended, or have not been counted.
    var underWay = 0

    /// Whether a call that returned is missing from the ledger, or the ledger holds more than were ever made. Events that come
    /// after the app has ended recording itself are in the ledger, as recorded and dropped; who counts what was kept sees none.
    var disagrees: Bool {
      returned > recorded || recorded - dropped["shutdown", default: 0] > returned + underWay
    }
  }

  var rows: [Row] = []
  var replays: [DemoReplay] = []
  var hasScreens = true
  var sessions: [JSON] = []
  /// Launches of which something belongs to no session.
  var strays: [String] = []
  var events = 0
  /// Events by their type.
  var counts: [String: Int] = [:]
  /// Launches that the SDK says crashed: one of the three does.
  var crashes: Int { counts["crash", default: 0] }
  /// Times that the main thread did not answer: once on purpose; a machine may add its own.
  var hangs: Int { counts["hang", default: 0] }

  var requests: Int { counts["network_request", default: 0] }

  /// Nothing lost, nothing doubled, the witness agrees, every event belongs to a session, the SDK has noticed what happened
  /// to the app, and each launch has its replay.
  var holds: Bool {
    crashes == 1 && hangs >= 1 && rows.count == 3 && strays.isEmpty
      && rows.allSatisfy { $0.lost == 0 && $0.duplicated == 0 && !$0.disagrees && $0.isSettled }
      && (replays.count == 3 || !hasScreens) && replays.allSatisfy(\.holds)
  }

  /// Asks the collector: the launches' own ledgers for what was recorded and dropped, and every stored event for what was
  /// delivered and doubled.
  static func read(_ client: CollectorClient, story: [DemoStory.Launch]) async throws -> DemoLedger {
    var ledger = DemoLedger()
    let launches = try await client.get("/api/launches")["launches"]?.array ?? []
    let ordered = launches.sorted { ($0["first"]?.integer ?? 0) < ($1["first"]?.integer ?? 0) }
    var byReplay: [String: Int] = [:]
    let stored = try await storedEvents(client, &ledger.counts, &byReplay)
    for (launch, told) in zip(ordered, story) {
      let returned = try told.witness.returnedCalls()
      var row = Row(launchId: launch["launchId"]?.string ?? "", end: told.end.description, returned: returned)
      let positions = stored[row.launchId] ?? []
      row.recorded = launch["recorded"]?.int ?? 0
      row.dropped = (launch["dropped"]?.object ?? [:]).compactMapValues(\.int).filter { $0.value > 0 }
      row.delivered = Set(positions).count
      row.duplicated = positions.count - row.delivered
      row.lost = max(row.recorded, returned) - row.droppedCount - row.delivered
      row.underWay = told.threads
      row.isSettled = launch["final"]?.bool == true || told.end == .exit(0)
      ledger.rows.append(row)
    }
    ledger.hasScreens = try DemoReplay.areExpected(of: story)
    ledger.replays = try await DemoReplay.read(client, story: story, events: byReplay)
    ledger.events = stored.values.reduce(0) { $0 + $1.count }
    ledger.sessions = try await client.sessions(search: nil, limit: 100)
    // What belongs to no session is listed under its launch.
    ledger.strays = ledger.sessions.compactMap { $0["sessionId"]?.string }.filter { $0.hasPrefix("launch:") }
    return ledger
  }

  /// Every event that the collector hands out: launch to positions, as often as they come.
  static func storedEvents(
    _ client: CollectorClient, _ counts: inout [String: Int]
  ) async throws -> [String: [UInt64]] {
    var byReplay: [String: Int] = [:]
    return try await storedEvents(client, &counts, &byReplay)
  }

  private static func storedEvents(
    _ client: CollectorClient, _ counts: inout [String: Int], _ byReplay: inout [String: Int]
  ) async throws -> [String: [UInt64]] {
    struct Page: Decodable {
      struct Context: Decodable {
        var replayId: String?
      }
      struct Event: Decodable {
        var launchId: String
        var eventType: String
        var sequence: UInt64
        var context: Context?
      }
      var events: [Event]
      var next: String?
    }
    var stored: [String: [UInt64]] = [:]
    var cursor: String?
    repeat {
      let answer = try await client.raw("/api/events", [("limit", "1000"), ("before", cursor)])
      guard answer.status == 200 else { throw client.refusal(status: answer.status, body: answer.body) }
      let page = try JSONDecoder().decode(Page.self, from: Data(answer.body.readableBytesView))
      // A breadcrumb is no event, and counted as none.
      for event in page.events where event.eventType != "breadcrumb" {
        stored[event.launchId, default: []].append(event.sequence)
        counts[event.eventType, default: 0] += 1
        if let replay = event.context?.replayId { byReplay[replay, default: 0] += 1 }
      }
      cursor = page.next
    } while cursor != nil
    return stored
  }

  /// Waits until the collector has all of it, at most `limit`; then whatever it has is what the demo reports.
  static func settle(_ client: CollectorClient, story: [DemoStory.Launch], limit: Duration) async throws -> DemoLedger {
    let deadline = ContinuousClock.now + limit
    while true {
      let ledger = try await read(client, story: story)
      if ledger.holds || ContinuousClock.now > deadline { return ledger }
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}
