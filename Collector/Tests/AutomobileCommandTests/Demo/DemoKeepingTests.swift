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
      .init(
        id: "s-3", recorded: 119, here: 0, rest: "on the device until 2026-12-03 10:00:00", isOnDevice: true),
    ]
    keeping.counts = ["crash": 1, "session_summary": 3]
    return keeping
  }

  private let plain = Style(coloured: false)

  /// Everything has been asked for, and came.
  private var fetched: DemoKeepingStory.Outcome {
    var outcome = DemoKeepingStory.Outcome(keeping: keeping)
    outcome.keeping.launches[2] = .init(id: "c", recorded: 120, delivered: 120, isFinal: true)
    outcome.keeping.sessions[2] = .init(id: "s-3", recorded: 119, here: 119)
    outcome.fetches = DemoFetches(
      fetches: [.init(session: "s-3", before: 0, after: 119, milliseconds: 640, came: true)], firstBytes: 24_000,
      wholeBytes: 61_500)
    return outcome
  }

  private func text(_ outcome: DemoKeepingStory.Outcome, once: Bool = true) -> String {
    DemoKeepingStory.lines(outcome, once: once, width: nil, style: plain).joined(separator: "\n")
  }

  @Test func `what is on the device is not missing, nor is what has aged out there`() {
    #expect(keeping.holds && keeping.isTold && !keeping.isWhole)
    let text = keeping.lines(width: nil, style: plain).joined(separator: "\n")
    #expect(text.contains("session s-3: 0 of 119 events came, the rest is on the device until 2026-12-03 10:00:00"))
    #expect(text.contains("session s-1: all 900 events came"))
    #expect(
      keeping.sum(style: plain)
        == "1\u{202F}320 recorded = 1\u{202F}181 here + 20 dropped + 119 on the device + 0 aged out there")
    var aged = keeping
    (aged.launches[2].kept, aged.launches[2].expired) = (100, 19)
    #expect(aged.holds && aged.sum(style: plain).hasSuffix("+ 100 on the device + 19 aged out there"))
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
    whole.sessions[2] = .init(id: "s-3", recorded: 119, here: 119)
    for keeping in [lost, doubled, untold, calm, whole] { #expect(!keeping.isTold) }
    #expect(!lost.holds && lost.sum(style: plain).hasSuffix("and 1 missing"))
    #expect(untold.holds && calm.holds && whole.holds && whole.isWhole)
  }

  @Test func `what was asked for came, and everything is beside what came first`() {
    #expect(fetched.keeping.isWhole)
    let said = text(fetched)
    #expect(said.contains("sent first: 24.0 kB of 61.5 kB over the network, 1/2.6; the rest when it was asked for"))
    #expect(said.hasSuffix("What matters came by itself, the rest when it was asked for, and the ledger adds up."))
    var one = fetched
    one.fetches.wholeBytes = nil
    #expect(text(one, once: false).contains("sent by itself: 24.0 kB over the network"))
    #expect(
      text(one, once: false)
        .hasSuffix("What matters came by itself, a session when it was asked for, and the ledger adds up."))
    #expect(DemoFetches(firstBytes: 1000, wholeBytes: 31_600).share?.contains("1/32;") == true)
    #expect(DemoFetches().share == nil)
  }

  @Test func `a step that does not hold is said, whatever the others did`() {
    var unanswered = fetched
    unanswered.holds = false
    unanswered.fetches.fetches[0].came = false
    #expect(text(unanswered).hasSuffix("Session s-3 was asked for, and did not come."))
    var lost = fetched
    lost.holds = false
    lost.keeping.launches[0].delivered -= 1
    #expect(text(lost).hasSuffix("The ledger does not add up."))
    var untold = DemoKeepingStory.Outcome(holds: false, keeping: keeping)
    #expect(text(untold).hasSuffix("nothing stayed on the device to be asked for."))
    untold.fetches = fetched.fetches
    #expect(text(untold).hasSuffix("The story did not end as it has to."))
  }

  @Test func `its JSON has what came before anybody asked, and after`() {
    #expect(
      DemoKeepingStory.json(fetched, viewer: "http://127.0.0.1:8765/").line == """
        {"asks":[{"after":119,"before":0,"came":true,"milliseconds":640,"sessionId":"s-3"}],"launches":[\
        {"delivered":880,"dropped":20,"duplicated":0,"expired":0,"kept":0,"lost":0,"recorded":900},\
        {"delivered":300,"dropped":0,"duplicated":0,"expired":0,"kept":0,"lost":0,"recorded":300},\
        {"delivered":120,"dropped":0,"duplicated":0,"expired":0,"kept":0,"lost":0,"recorded":120}],\
        "receivedBytes":24000,"savedBytes":0,"sentBytes":0,"sessions":[\
        {"here":900,"recorded":900,"sessionId":"s-1"},{"here":300,"recorded":300,"sessionId":"s-2"},\
        {"here":119,"recorded":119,"sessionId":"s-3"}],"viewer":"http://127.0.0.1:8765/","wholeBytes":61500}
        """)
  }

  @Test func `what came over the network is what the collector counts`() {
    let metrics = """
      # TYPE automobile_ingest_received_bytes_total counter
      automobile_ingest_received_bytes_total 1200
      automobile_ingest_bytes_total 9000
      automobile_replay_bytes_total 300
      automobile_replay_bytes_total_of_somebody 7
      """
    #expect(DemoTraffic.bytes(in: metrics) == 1500)
    #expect(DemoTraffic.bytes(in: "automobile_ingest_bytes_total 9000\n") == nil)
  }
}
