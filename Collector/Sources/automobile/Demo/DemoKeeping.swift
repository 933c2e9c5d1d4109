import AutoMobileCollector
import Foundation

/// The demo in flight recorder mode, at one moment: what came, what is on the device, and whether the ledgers add up.
struct DemoKeeping: Equatable {
  struct Launch: Equatable {
    var id = ""
    var recorded = 0
    /// Stored here, each once.
    var delivered = 0
    /// Without what has aged out.
    var dropped = 0
    var kept = 0
    /// Aged out on the device, where nobody had asked for it.
    var expired = 0
    var duplicated = 0
    /// Nothing of it follows.
    var isFinal = false

    /// Recorded, and neither here nor dropped nor on the device nor aged out there; as the launch's last ledger has it.
    var lost: Int { recorded - delivered - dropped - kept - expired }
  }

  struct Session: Equatable {
    var id = ""
    /// Recorded in it, as far as its device has told, and here.
    var recorded = 0
    var here = 0
    /// Where the rest is; nil where everything is here.
    var rest: String?
    /// The rest may be asked for.
    var isOnDevice = false
  }

  /// In the order in which they began.
  var launches: [Launch] = []
  var sessions: [Session] = []
  /// Events here by their type.
  var counts: [String: Int] = [:]
  var savedBytes = 0
  var sentBytes = 0

  var holds: Bool { launches.allSatisfy { $0.lost == 0 && $0.duplicated == 0 } }

  /// All three launches are known, the crash came, and every session has its summary.
  private var isKnown: Bool {
    holds && launches.count == 3 && sessions.count >= 3 && counts["crash"] == 1
      && counts["session_summary", default: 0] >= sessions.count
  }

  /// What matters came by itself, and something stays on the device.
  var isTold: Bool { isKnown && sessions.contains(where: \.isOnDevice) }

  /// Everything is here.
  var isWhole: Bool { isKnown && sessions.allSatisfy { $0.rest == nil } }

  func session(_ id: String) -> Session? { sessions.first { $0.id == id } }

  static func read(_ client: CollectorClient) async throws -> DemoKeeping {
    var keeping = DemoKeeping()
    let positions = try await DemoLedger.storedEvents(client, &keeping.counts)
    let launches = try await client.get("/api/launches")["launches"]?.array ?? []
    for launch in launches.sorted(by: { ($0["first"]?.integer ?? 0) < ($1["first"]?.integer ?? 0) }) {
      var known = Launch(id: launch["launchId"]?.string ?? "")
      let here = positions[known.id] ?? []
      known.recorded = launch["recorded"]?.int ?? 0
      known.delivered = launch["stored"]?.int ?? 0
      known.expired = launch["agedOut"]?.int ?? 0
      known.dropped = (launch["dropped"]?.object ?? [:]).values.reduce(0) { $0 + ($1.int ?? 0) } - known.expired
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
          rest: device.mark, isOnDevice: session["summary"]?["place"]?.string == "device"))
    }
    let savings = try await client.get("/api/health/savings")
    keeping.savedBytes = savings["savedBytes"]?.int ?? 0
    keeping.sentBytes = savings["sentBytes"]?.int ?? 0
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
}
