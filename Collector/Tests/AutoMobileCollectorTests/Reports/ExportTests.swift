import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

@Suite struct `Exported reports` {
  @Test func `a report is given out as text and in Apple's form, which can be read back and symbolicated`() async throws
  {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addCrash(program.report(), version: "3.2")
      try await collector.post(raw: batch)
      let event = try await collector.crash(batch)
      let bare = try await collector.get("/api/events/\(event)/report.ips")
      #expect(try await collector.addSymbols(program.path).status == 200)

      let text = try await collector.get("/api/events/\(event)/report.txt").text
      #expect(text.contains("Signal:              SIGSEGV (11) SEGV_MAPERR at 0x8"))
      #expect(text.contains("Thread 0 Crashed:"))
      #expect(text.contains("Cart.price(at:) [inlined] (checkout.swift:11)"))
      #expect(text.contains("checkout.checkout(_:)"))
      #expect(text.contains("<\(program.buildID)>"))
      #expect(text.contains("rip: 0x0000000000000001"))

      let answer = try await collector.get("/api/events/\(event)/report.ips")
      #expect(answer.headers.first(name: "Content-Disposition") == "attachment; filename=\"report-\(event).ips\"")
      let parts = answer.text.split(separator: "\n", maxSplits: 1)
      let header = try JSONDecoder().decode(JSONValue.self, from: Data(parts[0].utf8))
      let body = try JSONDecoder().decode(JSONValue.self, from: Data(parts[1].utf8))
      #expect(header["bug_type"].string == "309" && header["bundleID"].string == "dev.example.shop")
      #expect(header["app_version"].string == "3.2")
      #expect(body["exception"]["type"].string == "EXC_BAD_ACCESS" && body["exception"]["signal"].string == "SIGSEGV")
      #expect(body["faultingThread"].int == 0)
      let frames = body["threads"][0]["frames"]
      #expect(frames[0]["symbol"].string == "Cart.price(at:)" && frames[0]["inline"].bool == true)
      #expect(frames[0]["sourceFile"].string == "checkout.swift" && frames[0]["sourceLine"].int == 11)
      #expect(body["usedImages"][0]["uuid"].string == program.buildID)

      // One without lines, as a device writes it, read and symbolicated here.
      let directory = try TemporaryDirectory()
      let store = try SymbolStore(directory: directory.url)
      _ = try await store.add(program.path, name: "checkout", by: .link)
      let symbolizer = Symbolizer(store: store, tools: .found())
      let read = try ReportFile.read(Data(bare.text.utf8))
      #expect(read.event.appVersion == "3.2" && read.event.report.processName == "checkout")
      let report = try await symbolizer.symbolicate(read.event.report)
      symbolizer.stop()
      #expect(report.threads[0].frames[0].function == "Cart.price(at:)" && report.threads[0].frames[0].line == 11)
    }
  }

  @Test(arguments: [
    "", "{}", "[]", "{\"bug_type\":1}\n", "{\"bug_type\":\"309\"}\n{\"threads\":[{\"frames\":[{\"imageIndex\":-1}]}]}",
    "{\"threads\":7}", "\u{FF}",
  ])
  func `a file that is no report is refused or read, but does no harm`(text: String) {
    _ = try? ReportFile.read(Data(text.utf8))
  }
}
