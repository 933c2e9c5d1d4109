import AutoMobileJournal
import Foundation
import GRDB
import Testing

@testable import AutoMobileCollector

/// What a launch tells of an earlier one: its crash, the requests in whose middle it ended.
@Suite struct ToldLaterTests {
  private func batch(_ session: String, at time: Int) -> RawBatch {
    var batch = RawBatch()
    batch.addContext(1, session: session)
    batch.addLog("one", at: time)
    batch.addLog("two", at: time + 100)
    return batch
  }

  private func told(_ session: String, at time: Int, of launch: String) -> String {
    """
    {"eventType":"network_request","timestamp":\(time),"method":"GET","url":"http://h/stock","unfinished":true,\
    "ofLaunch":\(launch),"sessionId":"\(session)","context":{"sessionId":"\(session)","userId":"ada"}}
    """
  }

  /// Two launches, of which the second tells of the first.
  private func deliver(to collector: RunningCollector) async throws -> (first: LaunchID, later: JSONValue) {
    let first = batch("s-1", at: 1000)
    var second = batch("s-2", at: 5000)
    second.add(.eventAndBreadcrumb, told("s-1", at: 1050, of: "\"\(first.launch)\""))
    try await collector.post(raw: first)
    _ = try await collector.waitForLaunch(first.launch, stored: 2)
    try await collector.post(raw: second)
    return (first.launch, try await collector.waitForLaunch(second.launch, stored: 3))
  }

  @Test func `an event that a later launch tells is one of the earlier session's, and its launch is not`() async throws
  {
    try await RunningCollector.with { collector in
      let (first, later) = try await deliver(to: collector)
      #expect(later["first"].int == 5000, "it did not begin in the other's time")
      let session = try await collector.json("/api/sessions/s-1")
      #expect(session["launches"].array.compactMap(\.string) == [first.description])
      #expect(session["events"].int == 3)
      let events = try await collector.json("/api/events?session=s-1&type=network_request")["events"].array
      #expect(events.map { $0["launchId"].string } == [later["launchId"].string], "by its position in the journal")
      #expect(try await collector.json("/api/sessions/s-2")["launches"].array.count == 1)
    }
  }

  @Test(arguments: ["7", "null", "\"\"", "\"x\"", "\"0B9FC4B2-6E9B-4B55-9A61-1D3E9B6B7C55\""])
  func `of a launch that nobody knows it stands under the one that tells it`(launch: String) async throws {
    try await RunningCollector.with { collector in
      var second = batch("s-2", at: 5000)
      second.add(.eventAndBreadcrumb, told("s-1", at: 1050, of: launch))
      try await collector.post(raw: second)
      _ = try await collector.waitForLaunch(second.launch, stored: 3)
      let session = try await collector.json("/api/sessions/s-1")
      #expect(session["launches"].array.compactMap(\.string) == [second.launch.description])
      #expect(session["events"].int == 1)
    }
  }

  @Test func `with the session goes what the later launch knew of its user`() async throws {
    let directory = try TemporaryDirectory()
    try await RunningCollector.with(directory: directory.url) { _ = try await deliver(to: $0) }
    let store = try EventStore(
      path: directory.url.appending(path: "index.sqlite").path, fullText: true, maximumDepth: 64)
    #expect(try store.erase("s-1") == 3)
    let left = try await store.pool.read { try Data.fetchAll($0, sql: "SELECT json FROM context") }
    #expect(!left.isEmpty && !left.contains { String(decoding: $0, as: UTF8.self).contains("ada") })
    try store.close()
  }
}
