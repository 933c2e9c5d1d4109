import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

extension RunningCollector {
  func addSymbols(_ path: String) async throws -> Answer {
    try await send(
      .POST, "/api/symbols?name=checkout", headers: [("Content-Type", "application/octet-stream")],
      body: ByteBuffer(bytes: Array(try Data(contentsOf: URL(filePath: path)))))
  }

  /// The number of the launch's only crash.
  func crash(_ batch: RawBatch, count: Int = 1) async throws -> Int {
    try await waitForLaunch(batch.launch, stored: count)
    return try #require(try await json("/api/events?type=crash")["events"][0]["id"].int)
  }
}

@Suite struct `Symbolication` {
  @Test func `a crash of a real program shows functions, files and lines, of inlined functions too`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addNavigation(to: "Checkout", at: 1_699_999_999_000)
      batch.addCrash(program.report())
      try await collector.post(raw: batch)
      let event = try await collector.crash(batch, count: 2)

      let before = try await collector.json("/api/events/\(event)/report")
      #expect(before["report"]["threads"][0]["frames"][0]["file"] == .null)
      #expect(before["symbols"]["missing"][0]["uuid"].string == program.buildID)
      #expect(before["before"][0]["payload"]["destination"].string == "Checkout")

      let added = try await collector.addSymbols(program.path)
      #expect(added.status == 200, "\(added.text)")
      #expect(try added.json()["added"][0]["id"].string == program.buildID)

      let report = try await collector.json("/api/events/\(event)/report")
      let frames = report["report"]["threads"][0]["frames"]
      #expect(frames[0]["function"].string == "Cart.price(at:)")
      #expect(frames[0]["line"].int == 11)
      #expect(frames[0]["inlined"].bool == true)
      #expect(frames[1]["function"].string == "Cart.total(of:)")
      #expect(frames[1]["line"].int == 18)
      #expect(frames[1]["inlined"].bool == false)
      #expect(frames[1]["address"] == frames[0]["address"])
      #expect(frames[2]["function"].string == "checkout.checkout(_:)")
      #expect(frames[2]["line"].int == 25)
      #expect(frames[2]["file"].string?.hasSuffix("checkout.swift") == true)
      #expect((0...2).allSatisfy { frames[$0]["inApp"].bool == true })
      #expect(report["report"]["threads"][1]["frames"][0]["inApp"].bool == false)
      #expect(report["symbols"]["missing"].array.isEmpty && report["symbols"]["problem"] == .null)

      // Its issue is found by them a moment later.
      let issue = try await collector.wait(for: "/api/issues?q=file:checkout.swift") { $0["issues"].array.count == 1 }
      #expect(issue["issues"][0]["file"].string?.hasSuffix("checkout.swift") == true)
      #expect(try await collector.json("/api/issues?q=-file:checkout.swift")["issues"].array.isEmpty)
      #expect(
        try await collector.json("/api/search/values?in=issues&field=file")["values"][0]["value"].string?
          .hasSuffix("checkout.swift") == true)
    }
  }

  @Test func `a stripped program's debug file serves as well, and of two files of a build the one with lines stays`()
    async throws
  {
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    let stripped = directory.url.appending(path: "stripped").path
    let debug = directory.url.appending(path: "checkout.debug").path
    try await Shell.run("strip", "-o", stripped, program.path)
    try await Shell.run("objcopy", "--only-keep-debug", program.path, debug)
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addCrash(program.report())
      try await collector.post(raw: batch)
      let event = try await collector.crash(batch)
      for (path, outcome) in [(stripped, "added"), (debug, "added"), (stripped, "known"), (program.path, "known")] {
        #expect(try await collector.addSymbols(path).json()[outcome].array.count == 1, "\(path)")
      }
      let list = try await collector.json("/api/symbols")["symbols"].array
      #expect(list.count == 1 && list.first?["lines"].bool == true)
      let frames = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"]
      #expect(frames[0]["function"].string == "Cart.price(at:)" && frames[0]["line"].int == 11)

      #expect(try await collector.send(.DELETE, "/api/symbols/\(program.buildID)").status == 200)
      #expect(try await collector.send(.DELETE, "/api/symbols/\(program.buildID)").status == 404)
      let after = try await collector.json("/api/events/\(event)/report")["report"]["threads"][0]["frames"]
      #expect(after[0]["file"] == .null)
    }
  }

  @Test func `symbols are still there after the collector was started again`() async throws {
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { collector in
      let added = try await collector.addSymbols(program.path)
      #expect(added.status == 200)
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let symbols = try await collector.json("/api/symbols")["symbols"]
      #expect(symbols[0]["id"].string == program.buildID)
    }
  }

  @Test func `no path of a report is opened, whatever it says`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      // The build is not in the store, the paths are a program that has lines.
      let hostile = ["../../etc/passwd", "aa\\nCODE \(program.path) 0x1", "\(program.path)", "zz", "", "0"]
      for build in hostile {
        batch.addCrash(
          program.report(build: build).replacingOccurrences(of: "/nowhere/checkout", with: program.path))
      }
      try await collector.post(raw: batch)
      try await collector.waitForLaunch(batch.launch, stored: hostile.count)
      for event in try await collector.json("/api/events?type=crash")["events"].array {
        let answer = try await collector.get("/api/events/\(event["id"].int ?? 0)/report")
        #expect(answer.status == 200)
        #expect(try answer.json()["report"]["threads"][0]["frames"][0]["file"] == .null)
      }
    }
  }

  @Test func `without a symbolizer a report shows the names that came with it, and says what is missing`() async throws
  {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { options in
      options.symbolTools.symbolizer = nil
    } _: { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      batch.addCrash(program.report(names: [0: "$s8checkout4CartV5total2ofS2i_tF"]))
      try await collector.post(raw: batch)
      let event = try await collector.crash(batch)
      #expect(try await collector.addSymbols(program.path).status == 200)
      let report = try await collector.json("/api/events/\(event)/report")
      #expect(report["symbols"]["problem"].string?.contains("llvm-symbolizer is not installed") == true)
      #expect(report["report"]["threads"][0]["frames"][0]["function"].string == "Cart.total(of:)")
    }
  }

  @Test func `a symbolizer that dies, hangs or talks nonsense costs what it was asked, and nothing else`() async throws
  {
    let directory = try TemporaryDirectory()
    let script = directory.url.appending(path: "tool")
    try """
    #!/bin/sh
    while read -r line; do
      case "$line" in
      die) exit 3 ;;
      hang) sleep 1000 ;;
      *) echo "said $line" ;;
      esac
    done
    """.write(to: script, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    let answers: [String?] = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        let tool = LineTool(executable: script, arguments: [], timeLimit: 5)
        let questions = ["a", "die", "b", "hang", "c"] + (0..<100).map { "n\($0)" }
        continuation.resume(with: Result { try tool.ask(questions) })
      }
    }
    #expect(answers.prefix(5) == ["said a", nil, "said b", nil, "said c"])
    #expect(answers.dropFirst(5).elementsEqual((0..<100).map { "said n\($0)" }))
  }

  @Test func `what is no program, or names no build, is refused with a reason`() async throws {
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    let text = directory.url.appending(path: "text")
    try Data("hello, world".utf8).write(to: text)
    let unnamed = directory.url.appending(path: "unnamed")
    try await Shell.run("objcopy", "--remove-section", ".note.gnu.build-id", program.path, unnamed.path)
    let cut = directory.url.appending(path: "cut")
    try Data(contentsOf: URL(filePath: program.path)).prefix(1000).write(to: cut)
    try await RunningCollector.with { options in
      options.limits.symbolFileBytes = 10 << 20
    } _: { collector in
      for (file, reason) in [
        (text, "neither ELF nor Mach-O"), (unnamed, "has no build id"), (cut, "cut off or damaged"),
      ] {
        let answer = try await collector.addSymbols(file.path)
        #expect(answer.status == 422 && answer.text.contains(reason), "\(answer.text)")
      }
      let socket = try RawSocket(port: collector.port)
      await socket.send(
        "POST /api/symbols HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\nContent-Length: 11000000\r\n\r\n"
      )
      #expect(await socket.readLine().contains("413"))
      #expect(try await collector.send(.POST, "/api/symbols", body: ByteBuffer(string: "x")).status == 415)
      #expect(try await collector.json("/api/symbols")["symbols"].array.isEmpty)
      let left = try FileManager.default.contentsOfDirectory(atPath: collector.directory.path + "/symbols")
      #expect(left.isEmpty)
    }
  }

  @Test func `damaged programs are read without harm`() async throws {
    let program = try await CrashedProgram.shared
    let directory = try TemporaryDirectory()
    let whole = Array(try Data(contentsOf: URL(filePath: program.path)))
    let path = directory.url.appending(path: "damaged").path
    var random = SystemRandomNumberGenerator()
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<8 { bytes[Int.random(in: 4..<min(1024, bytes.count), using: &random)] = .random(in: 0...255) }
      bytes[(bytes.count - 64 * 50)...].withContiguousMutableStorageIfAvailable { tail in
        tail[Int.random(in: tail.indices, using: &random)] = .random(in: 0...255)
      }
      _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
      _ = try? SymbolFile.inspect(path)
    }
  }
}

@Suite struct `Who may add symbols` {
  @Test func `an app's key does not do: other programs read what is added`() async throws {
    let program = try await CrashedProgram.shared
    try await RunningCollector.with { options in
      options.ingestKeys = ["ingest-key-of-the-app"]
      options.operatorKeys = ["operator-key-of-ours"]
    } _: { collector in
      let body = ByteBuffer(bytes: Array(try Data(contentsOf: URL(filePath: program.path))))
      for (key, status) in [("ingest-key-of-the-app", 401), ("operator-key-of-ours", 200)] {
        let answer = try await collector.send(
          .POST, "/api/symbols",
          headers: [("Content-Type", "application/octet-stream"), ("Authorization", "Bearer \(key)")], body: body)
        #expect(answer.status == status, "\(answer.text)")
      }
      let list = try await collector.get("/api/symbols", headers: [("X-API-Key", "ingest-key-of-the-app")])
      #expect(try list.json()["symbols"].array.count == 1)
    }
  }
}
