import Foundation
import GRDB
import NIOCore
import Testing

@testable import AutoMobileCollector

@Suite struct `Sudden death while somebody is erased` {
  @Test func `the next start goes on, nothing is left, and others are whole`() async throws {
    let directory = try TemporaryDirectory()
    let kept = ErasureStory("bobxw91cqy", events: 400)
    let stories = (0..<12).map { _ in ErasureStory("adazq7f3kx", events: 400) }
    // One user, a session in each launch; the last has a replay.
    let last = stories[11]
    let picture = last.picture
    try await RunningCollector.with(directory: directory.url) { collector in
      _ = try await kept.send(to: collector)
      _ = try await last.send(to: collector)
      for (index, story) in stories.enumerated() where index < 11 {
        var batch = RawBatch(launch: story.batch.launch)
        batch.addContext(1, session: "adazq7f3kx-\(index)", user: story.user)
        for message in 0..<600 { batch.addLog("adazq7f3kxlog \(message)") }
        try await collector.post(raw: batch)
        try await collector.waitForLaunch(story.batch.launch, stored: 600)
      }
      try await collector.waitForLaunch(last.batch.launch, stored: ErasureStory.stored(events: 400))
      try await collector.waitForLaunch(kept.batch.launch, stored: ErasureStory.stored(events: 400))
    }
    let path = directory.url.appending(path: "index.sqlite").path
    func step() async throws -> String? {
      let database = try DatabaseQueue(path: path)
      defer { try? database.close() }
      return try await database.read { try String.fetchOne($0, sql: "SELECT step FROM erasure WHERE id = 1") }
    }
    var hasBegun = false
    var seen: Set<String> = []
    for round in 0..<(ProcessInfo.processInfo.environment["AUTOMOBILE_SOAK"] == nil ? 14 : 200) {
      let process = try await CollectorProcess(directory: directory.url)
      if !hasBegun {
        #expect(try await process.send("/api/erasures", "{\"user\":\"\(last.user)\"}") == 200)
        hasBegun = true
      }
      try await Task.sleep(for: .microseconds(Int.random(in: 0..<(40_000 + 20_000 * round))))
      await process.kill()
      let step = try await step()
      seen.insert(step ?? "none")
      // Whoever was told that it had begun finds it.
      try #require(step != nil)
      let database = try DatabaseQueue(path: path)
      #expect(try await database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
      try database.close()
      if step == "done" { break }
    }
    try await RunningCollector.with(directory: directory.url) { collector in
      let erasure = try await collector.wait(for: "/api/erasures/1") { $0["step"].string == "done" }
      #expect(erasure["sessions"].int == 12)
      #expect(erasure["events"].int == 11 * 600 + ErasureStory.stored(events: 400) + 1)
      #expect(
        try FileSearch.files(in: directory.url, with: "adazq7f3kx", or: Array(picture.body.readableBytesView)) == [])
      #expect(try FileSearch.files(in: directory.url, with: last.name) == [])
      let session = try await collector.json("/api/sessions/\(kept.session)")
      #expect(session["events"].int == ErasureStory.stored(events: 400))
      #expect(try await collector.get("/api/replays/\(kept.name)replay").status == 200)
      #expect(try await collector.json("/api/events?q=\(kept.marker)log&limit=1000")["events"].array.count == 400)
    }
  }
}
