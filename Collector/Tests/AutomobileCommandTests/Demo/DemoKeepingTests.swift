import Testing

@testable import automobile

@Suite struct `The demo in flight recorder mode` {
  private var keeping: DemoKeeping {
    var keeping = DemoKeeping()
    keeping.launches = [
      .init(id: "a", recorded: 900, delivered: 880, dropped: 20, isFinal: true),
      .init(id: "b", recorded: 300, delivered: 300, isFinal: true),
      .init(id: "c", recorded: 120, delivered: 1, kept: 119),
    ]
    keeping.sessions = [
      .init(id: "s-1", recorded: 900, here: 900), .init(id: "s-2", recorded: 300, here: 300),
      .init(id: "s-3", recorded: 119, here: 0, rest: "on the device until 2026-12-03 10:00:00"),
    ]
    keeping.counts = ["crash": 1, "session_summary": 3]
    return keeping
  }

  @Test func `what is on the device is not missing`() {
    #expect(keeping.holds && keeping.isWhole)
    let text = keeping.lines(width: nil, style: Style(coloured: false)).joined(separator: "\n")
    #expect(text.contains("session s-3: 0 of 119 events came, the rest is on the device until 2026-12-03 10:00:00"))
    #expect(text.contains("session s-1: all 900 events came"))
    #expect(text.contains("What matters came, and the ledger adds up."))
    #expect(
      keeping.sum(style: Style(coloured: false))
        == "1\u{202F}320 recorded = 1\u{202F}181 here + 20 dropped + 119 on the device")
  }

  @Test func `one event that is nowhere is missing, and so is a summary, the crash, or a session that stayed`() {
    var lost = keeping
    lost.launches[2].kept = 118
    var doubled = keeping
    doubled.launches[0].duplicated = 1
    var untold = keeping
    untold.counts["session_summary"] = 2
    var calm = keeping
    calm.counts["crash"] = nil
    var whole = keeping
    whole.sessions[2].rest = nil
    for keeping in [lost, doubled, untold, calm, whole] { #expect(!keeping.isWhole) }
    #expect(!lost.holds && lost.sum(style: Style(coloured: false)).hasSuffix("and 1 missing"))
    #expect(untold.holds && calm.holds && whole.holds)
  }

  @Test func `what came over the network is what the collector counts, and is said`() {
    let metrics = """
      # TYPE automobile_ingest_received_bytes_total counter
      automobile_ingest_received_bytes_total 1200
      automobile_ingest_bytes_total 9000
      automobile_replay_bytes_total 300
      automobile_replay_bytes_total_of_somebody 7
      """
    #expect(DemoTraffic.bytes(in: metrics) == 1500)
    #expect(DemoTraffic.bytes(in: "automobile_ingest_bytes_total 9000\n") == nil)
    var said = keeping
    said.receivedBytes = 1500
    let text = said.lines(width: nil, style: Style(coloured: false)).joined(separator: "\n")
    #expect(text.contains(", 1.5 kB over the network"), "\(text)")
  }
}
