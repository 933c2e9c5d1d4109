import AutoMobileJournal
import Foundation
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `A session as one file` {
  private static let type = [("Content-Type", SessionFile.mediaType)]

  /// A session with events of two contexts, a request and a replay.
  private static func record(_ collector: RunningCollector) async throws -> ReplaySender {
    var batch = RawBatch()
    batch.addContext(1, session: "s-1")
    for index in 0..<700 { batch.addLog("line \(index) “quoted” \\u0000 ☕️", at: 1_700_000_000_000 + index, context: 1) }
    batch.ledger = LaunchLedger(recorded: 700, final: true)
    try await collector.post(raw: batch)
    try await collector.waitForLaunch(batch.launch, stored: 700)
    var sender = ReplaySender(collector: collector)
    sender.sessions = ["s-1"]
    for segment in [ReplaySender.Segment("frames"), .init("{\"t\":1}\n", at: 2, kind: "events")] {
      #expect(try await sender.upload(segment) == [200, 204, 200])
    }
    _ = try await sender.end()
    return sender
  }

  private static func file(_ collector: RunningCollector) async throws -> ByteBuffer {
    let answer = try await collector.get("/api/sessions/s-1/file")
    #expect(answer.status == 200)
    #expect(answer.headers.first(name: "Content-Disposition")?.hasSuffix(".automobile\"") == true)
    return answer.body
  }

  private static func take(_ body: ByteBuffer, _ collector: RunningCollector) async throws -> RunningCollector.Answer {
    try await collector.send(.POST, "/api/import", headers: type, body: body)
  }

  /// Lines as they stand in a file.
  private static func file(_ lines: String...) -> ByteBuffer { gzip(Array(lines.map { $0 + "\n" }.joined().utf8)) }

  private static let head = #"{"automobile":{"file":"session","version":1,"sessionId":"s-9"}}"#

  @Test func `what one collector wrote another one shows, to the last event and frame`() async throws {
    try await RunningCollector.with { first in
      let sender = try await Self.record(first)
      let file = try await Self.file(first)
      let before = try await first.json("/api/sessions/s-1/events?limit=1000")["events"].array
      let segment = try await first.json("/api/sessions/s-1/replays")["replays"].array[0]["segments"].array[0]
      let picture = try await first.get("/api/replays/\(sender.replay)/segments/\(segment["id"].string ?? "")").body
      try await RunningCollector.with { second in
        let answer = try await Self.take(file, second)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try answer.json()["sessionId"].string == "s-1")
        #expect(try answer.json()["events"].int == 700)
        #expect(try answer.json()["segments"].int == 2)
        try await second.wait(for: "/api/sessions/s-1") { $0["events"].int == 700 }
        let after = try await second.json("/api/sessions/s-1/events?limit=1000")["events"].array
        #expect(after.map { $0["payload"]["message"].string } == before.map { $0["payload"]["message"].string })
        #expect(after.map { $0["sequence"].int } == before.map { $0["sequence"].int })
        #expect(after.first?["context"]["appVersion"].string == before.first?["context"]["appVersion"].string)
        let replay = try await second.json("/api/sessions/s-1/replays")["replays"].array[0]
        #expect(replay["endReason"].string == "user_stop")
        #expect(replay["segments"].array.map { $0["kind"].string } == ["screenshots", "events"])
        let path = "/api/replays/\(sender.replay)/segments/\(segment["id"].string ?? "")"
        #expect(try await second.get(path).body == picture)
        // Over, and not running for as long as anybody looks.
        #expect(try await second.json("/api/sessions/s-1")["live"].bool == false)
        // Once more: nothing is there twice.
        let again = try await Self.take(file, second)
        #expect(again.status == 200)
        #expect(try again.json()["segments"].int == 0)
        try await second.wait(for: "/api/sessions/s-1") { $0["events"].int == 700 }
      }
    }
  }

  @Test func `a session out of a file says so, and one that an app sent never does`() async throws {
    try await RunningCollector.with { first in
      _ = try await Self.record(first)
      let file = try await Self.file(first)
      // Its own file: the session is the app's all the same, and what comes out of the file stands beside it.
      let beside = try await Self.take(file, first)
      let name = try #require(try beside.json()["sessionId"].string)
      #expect(beside.status == 200 && name.hasPrefix("s-1@file-"))
      try await first.wait(for: "/api/sessions/\(name)") { $0["events"].int == 700 }
      #expect(try await first.json("/api/sessions/\(name)")["imported"]["at"].int != nil)
      #expect(try await first.json("/api/sessions/s-1")["imported"] == .null)
      let before = WallClock.now
      try await RunningCollector.with { second in
        for _ in 0..<2 {
          #expect(try await Self.take(file, second).status == 200)
          try await second.wait(for: "/api/sessions/s-1") { $0["events"].int == 700 }
        }
        let listed = try await second.json("/api/sessions")["sessions"].array
        for session in [try await second.json("/api/sessions/s-1"), listed[0]] {
          let imported = session["imported"]
          #expect(imported["at"].int.map { Int(before)...Int(WallClock.now) ~= $0 } == true)
          #expect(imported["exportedAt"].int.map { 0...Int(before) ~= $0 } == true)
          #expect(imported["collector"].string == Collector.version)
        }
      }
    }
  }

  @Test func `what a file says of itself is bounded, and may be missing`() throws {
    func origin(_ more: String) throws -> SessionImport {
      let text = #"{"file":"session","version":1,"sessionId":"s"\#(more)}"#
      return try SessionImport(JSONDecoder().decode(JSONTree.self, from: Data(text.utf8)), at: 5)
    }
    #expect(try origin("").exportedAt == nil)
    #expect(try origin(#","exportedAt":-1,"collector":7"#).exportedAt == nil)
    #expect(try origin(#","exportedAt":9e99"#).exportedAt == nil)
    #expect(try origin(#","exportedAt":17,"collector":"0.4.0""#).collector == "0.4.0")
    #expect(try origin(#","collector":"\#(String(repeating: "x", count: 5000))""#).collector?.count == 40)
  }

  @Test func `a file that breaks off anywhere is told apart from a whole one`() async throws {
    try await RunningCollector.with { first in
      _ = try await Self.record(first)
      let file = try await Self.file(first)
      try await RunningCollector.with { second in
        for part in [1, 2, 5, 9] {
          let answer = try await Self.take(file.getSlice(at: 0, length: file.readableBytes * part / 10) ?? file, second)
          #expect(answer.status == 400 && answer.errorCode == "truncated", "\(part): \(answer.text)")
        }
      }
    }
  }

  @Test(arguments: [
    ("", "truncated"), ("no gzip at all", "invalid_gzip"),
  ])
  func `what is no gzip is refused`(text: String, code: String) async throws {
    try await RunningCollector.with { collector in
      let answer = try await Self.take(ByteBuffer(string: text), collector)
      #expect(answer.status == 400 && answer.errorCode == code)
    }
  }

  @Test func `lines of another kind, order, version or shape are refused, with their number`() async throws {
    let hostile: [(lines: [String], line: Int)] = [
      (["{}"], 1), (["[1]"], 1), (["null"], 1), (["{\"automobile\":7}"], 1), (["{\"../../etc/passwd\":1}"], 1),
      ([#"{"automobile":{"file":"session","version":2,"sessionId":"s"}}"#], 1),
      ([#"{"complete":{"lines":0}}"#], 1), ([Self.head, Self.head], 2), ([Self.head, "no json"], 2),
      ([Self.head, #"{"events":{},"segment":{}}"#], 2), ([Self.head, #"{"complete":{"lines":7}}"#], 2),
      ([Self.head, #"{"complete":{"lines":1}}"#, #"{"end":{}}"#], 3),
      ([Self.head, String(repeating: "[", count: 100_000)], 2),
    ]
    try await RunningCollector.with { collector in
      for (lines, number) in hostile {
        let text = lines.map { $0 + "\n" }.joined()
        let answer = try await Self.take(gzip(Array(text.utf8)), collector)
        #expect(answer.status == 400 && answer.errorCode == "invalid_file", "\(lines): \(answer.text)")
        #expect(answer.text.contains("line \(number) "), "\(lines): \(answer.text)")
      }
      for line in [
        #"{"events":{"events":7}}"#, #"{"events":{}}"#, #"{"segment":{"kind":"screenshots"}}"#,
        #"{"end":{"sessionId":"a"}}"#,
      ] {
        let answer = try await Self.take(Self.file(Self.head, line), collector)
        #expect(answer.status == 400, "\(line): \(answer.text)")
      }
      #expect(try await collector.json("/api/sessions")["sessions"].array.isEmpty)
    }
  }

  @Test func `a bomb ends as soon as it is larger than any line may be`() async throws {
    try await RunningCollector.with { collector in
      // 64 MB of blanks in 64 KB.
      let bomb = gzip(Array(Self.head.utf8) + [UInt8](repeating: 0x20, count: 64 << 20))
      let answer = try await Self.take(bomb, collector)
      #expect(answer.status == 413 && answer.errorCode == "too_large")
      // And a segment that is one.
      let inner = gzip([UInt8](repeating: 0, count: 40 << 20))
      let body = Data(inner.readableBytesView).base64EncodedString()
      let line = """
        {"segment":{"sessionId":"r","segmentId":"\(String(repeating: "a", count: 32))","kind":"screenshots","startTime":1,\
        "endTime":2,"frameCount":1,"sizeBytes":\(inner.readableBytes),"body":"\(body)"}}
        """
      let second = try await Self.take(Self.file(Self.head, line), collector)
      #expect(second.status == 400 && second.errorCode == "invalid_file")
      #expect(try await collector.get("/api/replays/r").status == 404)
    }
  }

  @Test func `web pages of others cannot send one, and there is none of a session that is not there`() async throws {
    try await RunningCollector.with { collector in
      let plain = try await collector.send(
        .POST, "/api/import", headers: [("Content-Type", "text/plain")], body: Self.file(Self.head))
      #expect(plain.status == 415)
      #expect(try await collector.get("/api/sessions/nobody/file").status == 404)
    }
  }
}
