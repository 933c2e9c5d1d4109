import NIOCore
import Testing

@testable import automobile

@Suite struct `The demo's report` {
  private func row(_ end: String, lost: Int = 0, duplicated: Int = 0) -> DemoLedger.Row {
    var row = DemoLedger.Row()
    row.end = end
    row.recorded = 1204
    row.delivered = 1204 - lost
    row.lost = lost
    row.duplicated = duplicated
    row.returned = 1203
    row.underWay = 1
    row.isSettled = true
    return row
  }

  private var replay: DemoReplay {
    var replay = DemoReplay()
    (replay.recorded, replay.shown, replay.segments, replay.bytes) = (40, 41, 3, 90_000)
    (replay.frameBytes, replay.fullBytes) = (80_000, 1_600_000)
    (replay.snapshots, replay.events, replay.isConcluded, replay.endOff) = (12, 300, true, 1200)
    return replay
  }

  private func ledger(_ rows: [DemoLedger.Row]) -> DemoLedger {
    DemoLedger(
      rows: rows, replays: Array(repeating: replay, count: 3), sessions: [.null, .null, .null], events: 3612,
      counts: ["crash": 1, "hang": 1, "network_request": 9])
  }

  @Test func `three whole launches hold`() throws {
    let report = DemoReport(
      ledger: ledger([row("SIGKILL"), row("SIGSEGV"), row("exit 0")]), viewer: "http://127.0.0.1:8765/",
      receivedBytes: 88_335)
    #expect(report.ledger.holds)
    #expect(
      report.json.line == """
        {"crashes":1,"events":3612,"hangs":1,"launches":[\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"SIGKILL","lost":0,"recorded":1204},\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"SIGSEGV","lost":0,"recorded":1204},\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"exit 0","lost":0,"recorded":1204}],\
        "receivedBytes":88335,"replay":{"bytes":240000,"frames":123,"full_frame_bytes":4800000,"sessions":3},"replays":[\
        {"bytes":90000,"concluded":true,"dropped":0,"endOffMs":1200,"events":300,"frameBytes":80000,"fullBytes":1600000,"recorded":40,"segments":3,"shown":41},\
        {"bytes":90000,"concluded":true,"dropped":0,"endOffMs":1200,"events":300,"frameBytes":80000,"fullBytes":1600000,"recorded":40,"segments":3,"shown":41},\
        {"bytes":90000,"concluded":true,"dropped":0,"endOffMs":1200,"events":300,"frameBytes":80000,"fullBytes":1600000,"recorded":40,"segments":3,"shown":41}],\
        "requests":9,"sessions":3,"viewer":"http://127.0.0.1:8765/"}
        """)
  }

  @Test func `a loss, a double, a missing launch or an unheard one does not`() {
    let good = row("exit 0")
    var unheard = good
    unheard.isSettled = false
    var disagreeing = good
    disagreeing.returned = disagreeing.recorded + 1
    var unreturned = good
    unreturned.returned = good.recorded - 2
    let rows = [
      [good, row("SIGKILL", lost: 1), good], [good, good, row("exit 0", duplicated: 1)], [good, good],
      [good, unheard, good], [disagreeing, good, good], [good, good, unreturned],
    ]
    for rows in rows { #expect(!ledger(rows).holds) }
    for counts in [["hang": 1], ["crash": 2, "hang": 1], ["crash": 1]] {
      var blind = ledger([good, good, good])
      blind.counts = counts
      #expect(!blind.holds)
    }
    var stray = ledger([good, good, good])
    stray.strays = ["launch:593B4730"]
    #expect(!stray.holds)
  }

  /// As it once was: the system had something to tell between the app's last word and its end.
  @Test func `what comes after the app has ended recording was recorded and dropped, and nobody saw it`() {
    var last = row("exit 0")
    (last.recorded, last.delivered, last.returned, last.underWay) = (39, 38, 38, 0)
    last.dropped = ["shutdown": 1]
    #expect(!last.disagrees)
    #expect(ledger([row("SIGKILL"), row("SIGSEGV"), last]).holds)
    last.dropped = ["bufferOverflow": 1]
    #expect(last.disagrees, "only an end drops what nobody saw")
    last.dropped = ["shutdown": 2]
    last.returned = 36
    #expect(last.disagrees)
  }

  @Test func `a replay that is missing, not whole, not ended or not masked does not`() {
    let rows = [row("SIGKILL"), row("SIGSEGV"), row("exit 0")]
    var missing = ledger(rows)
    missing.replays.removeLast()
    #expect(!missing.holds)
    missing.hasScreens = false
    #expect(missing.holds, "an app without screens has nothing to record")
    let faults: [(inout DemoReplay) -> Void] = [
      { $0.shown = 39 }, { $0.shown = 42 }, { $0.segments = 0 }, { $0.events = 0 }, { $0.broken = 1 },
      { $0.snapshots = 0 }, { $0.isConcluded = false }, { $0.endOff = 5001 }, { $0.leaks = true },
    ]
    for fault in faults {
      var broken = ledger(rows)
      fault(&broken.replays[1])
      #expect(!broken.holds)
      let said = DemoReport(ledger: broken, viewer: "").lines(width: 100, style: Style(coloured: false))
      #expect(said.contains { $0.hasPrefix("replay 2: ") })
    }
    var dropped = ledger(rows)
    (dropped.replays[0].shown, dropped.replays[0].dropped) = (30, 10)
    #expect(dropped.holds, "what was dropped has been said")
  }

  @Test func `frames are counted where they are whole, and a segment begins with a key frame`() {
    func frame(_ flags: UInt8, length: UInt32 = 20, version: Int = 2) -> ByteBuffer {
      var bytes = ByteBuffer(string: "AMF\(version)")
      bytes.writeInteger(length, endianness: .little)
      bytes.writeRepeatingByte(0, count: 8)
      bytes.writeInteger(flags)
      bytes.writeRepeatingByte(0, count: 11)
      return bytes
    }
    func segment(_ frames: ByteBuffer...) -> ByteBuffer {
      frames.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
    }
    #expect(DemoReplay.frames(in: segment(frame(1), frame(0), frame(2))) == 3)
    #expect(DemoReplay.frames(in: segment(frame(1, version: 1), frame(0))) == 2)
    #expect(DemoReplay.frames(in: segment(frame(1), frame(0, version: 3))) == 0)
    #expect(DemoReplay.frames(in: segment(frame(0), frame(1))) == 0)
    #expect(DemoReplay.frames(in: segment(frame(1), frame(0, length: 21))) == 0)
    #expect(DemoReplay.frames(in: ByteBuffer(string: "junk")) == 0)
  }

  @Test(arguments: [80, 200])
  func `its table fits the terminal`(width: Int) {
    let report = DemoReport(ledger: ledger([row("SIGKILL"), row("SIGSEGV"), row("exit 0")]), viewer: "")
    let table = report.lines(width: width, style: Style(coloured: false)).prefix(4)
    #expect(table.allSatisfy { DisplayWidth.of($0) <= width })
  }
}
