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
    row.isSettled = true
    return row
  }

  private func ledger(_ rows: [DemoLedger.Row]) -> DemoLedger {
    DemoLedger(rows: rows, sessions: [.null, .null, .null], events: 3612, counts: ["crash": 1, "hang": 1])
  }

  @Test func `three whole launches hold`() throws {
    let report = DemoReport(
      ledger: ledger([row("SIGKILL"), row("SIGSEGV"), row("exit 0")]), viewer: "http://127.0.0.1:8765/")
    #expect(report.ledger.holds)
    #expect(
      report.json.line == """
        {"crashes":1,"events":3612,"hangs":1,"launches":[\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"SIGKILL","lost":0,"recorded":1204},\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"SIGSEGV","lost":0,"recorded":1204},\
        {"delivered":1204,"dropped":0,"duplicated":0,"end":"exit 0","lost":0,"recorded":1204}],\
        "sessions":3,"viewer":"http://127.0.0.1:8765/"}
        """)
  }

  @Test func `a loss, a double, a missing launch or an unheard one does not`() {
    let good = row("exit 0")
    var unheard = good
    unheard.isSettled = false
    var disagreeing = good
    disagreeing.disagrees = true
    let rows = [
      [good, row("SIGKILL", lost: 1), good], [good, good, row("exit 0", duplicated: 1)], [good, good],
      [good, unheard, good], [disagreeing, good, good],
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

  @Test(arguments: [80, 200])
  func `its table fits the terminal`(width: Int) {
    let report = DemoReport(ledger: ledger([row("SIGKILL"), row("SIGSEGV"), row("exit 0")]), viewer: "")
    let table = report.lines(width: width, style: Style(coloured: false)).prefix(4)
    #expect(table.allSatisfy { DisplayWidth.of($0) <= width })
  }
}
