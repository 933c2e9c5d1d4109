import AutoMobileCollector
import Foundation

/// The demo in flight recorder mode, at one moment: what came, what is on the device, and whether the ledgers add up.
struct DemoKeeping: Equatable {
  struct Launch: Equatable {
    var id = ""
    var recorded = 0
    /// Stored here, each once.
    var delivered = 0
    var dropped = 0
    var kept = 0
    var duplicated = 0
    /// Nothing of it follows.
    var isFinal = false

    /// Recorded, and neither here nor dropped nor on the device; as the launch's last ledger has it.
    var lost: Int { recorded - delivered - dropped - kept }
  }

  struct Session: Equatable {
    var id = ""
    /// Recorded in it, as far as its device has told, and here.
    var recorded = 0
    var here = 0
    /// Nil where everything is here.
    var rest: String?
  }

  /// In the order in which they began.
  var launches: [Launch] = []
  var sessions: [Session] = []
  /// Events here by their type.
  var counts: [String: Int] = [:]
  var savedBytes = 0
  var sentBytes = 0
  /// Over the network, as it came; nil: nobody knows.
  var receivedBytes: Int?

  var holds: Bool { launches.allSatisfy { $0.lost == 0 && $0.duplicated == 0 } }

  /// At the story's end: all three launches are known, the crash came, every session has its summary, and one stays on the device.
  var isWhole: Bool {
    holds && launches.count == 3 && sessions.count >= 3 && counts["crash"] == 1
      && counts["session_summary", default: 0] >= sessions.count && sessions.contains { $0.rest != nil }
  }

  static func read(_ client: CollectorClient) async throws -> DemoKeeping {
    var keeping = DemoKeeping()
    let positions = try await DemoLedger.storedEvents(client, &keeping.counts)
    let launches = try await client.get("/api/launches")["launches"]?.array ?? []
    for launch in launches.sorted(by: { ($0["first"]?.integer ?? 0) < ($1["first"]?.integer ?? 0) }) {
      var known = Launch(id: launch["launchId"]?.string ?? "")
      let here = positions[known.id] ?? []
      known.recorded = launch["recorded"]?.int ?? 0
      known.delivered = launch["stored"]?.int ?? 0
      known.dropped = (launch["dropped"]?.object ?? [:]).values.reduce(0) { $0 + ($1.int ?? 0) }
      known.kept = launch["kept"]?.int ?? 0
      known.duplicated = here.count - Set(here).count
      known.isFinal = launch["final"]?.bool == true
      keeping.launches.append(known)
    }
    for session in try await client.sessions(search: nil, limit: 100).reversed() {
      let device = OnDevice(session)
      keeping.sessions.append(
        Session(
          id: session["sessionId"]?.string ?? "", recorded: device.events, here: session["events"]?.int ?? 0,
          rest: device.mark))
    }
    let savings = try await client.get("/api/health/savings")
    keeping.savedBytes = savings["savedBytes"]?.int ?? 0
    keeping.sentBytes = savings["sentBytes"]?.int ?? 0
    keeping.receivedBytes = await DemoTraffic.read(client)
    return keeping
  }

  /// Waits until `isDone`, at most `limit`; then whatever there is counts.
  static func settle(
    _ client: CollectorClient, limit: Duration, until isDone: (DemoKeeping) -> Bool
  ) async throws -> DemoKeeping {
    let deadline = ContinuousClock.now + limit
    while true {
      let keeping = try await read(client)
      if isDone(keeping) || ContinuousClock.now > deadline { return keeping }
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  // MARK: Words

  /// The sum of all ledgers, in a line.
  func sum(style: Style) -> String {
    func all(_ part: (Launch) -> Int) -> String { Format.count(launches.reduce(0) { $0 + part($1) }) }
    let text =
      "\(all(\.recorded)) recorded = \(all(\.delivered)) here + \(all(\.dropped)) dropped + \(all(\.kept)) on the device"
    return holds ? style.dim(text) : style.red(text + ", and \(all(\.lost)) missing")
  }

  func lines(width: Int?, style: Style) -> [String] {
    var table = Table(columns: [
      .init(title: "LAUNCH"), .init(title: "RECORDED", alignsRight: true), .init(title: "HERE", alignsRight: true),
      .init(title: "DROPPED", alignsRight: true), .init(title: "ON THE DEVICE", alignsRight: true),
      .init(title: "MISSING", alignsRight: true), .init(title: "DUPLICATED", alignsRight: true),
    ])
    table.rows = launches.enumerated().map { index, launch in
      [String(index + 1)]
        + [launch.recorded, launch.delivered, launch.dropped, launch.kept, launch.lost, launch.duplicated]
        .map(Format.count)
    }
    var lines = table.lines(width: width, style: style) + [""]
    for session in sessions {
      let name = CollectorClient.shortName(of: session.id)
      lines.append(
        Printable.text(
          session.rest.map {
            "session \(name): \(Format.count(session.here)) of \(Format.plural(session.recorded, "event")) came, the rest is \($0)"
          } ?? "session \(name): all \(Format.plural(session.here, "event")) came"))
    }
    let received = receivedBytes.map { ", \(Format.bytes($0)) over the network" } ?? ""
    lines.append("about \(Format.bytes(savedBytes)) not sent, \(Format.bytes(sentBytes)) sent\(received)")
    lines.append("")
    lines.append(
      isWhole ? style.green("What matters came, and the ledger adds up.") : style.red("The ledger does not add up."))
    return lines
  }

  /// The last line of standard output with `--once --json`.
  func json(viewer: String) -> JSON {
    [
      "launches": .array(
        launches.map {
          [
            "recorded": JSON($0.recorded), "delivered": JSON($0.delivered), "dropped": JSON($0.dropped),
            "kept": JSON($0.kept), "lost": JSON($0.lost), "duplicated": JSON($0.duplicated),
          ]
        }),
      "sessions": .array(
        sessions.map { ["sessionId": .string($0.id), "recorded": JSON($0.recorded), "here": JSON($0.here)] }),
      "savedBytes": JSON(savedBytes), "sentBytes": JSON(sentBytes),
      "receivedBytes": receivedBytes.map { JSON($0) } ?? .null, "viewer": .string(viewer),
    ]
  }
}
