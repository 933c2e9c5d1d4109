import AutoMobileJournal
import Foundation
import Testing

@testable import AutoMobileCollector

/// What ended a launch, as the launch after it told.
@Suite struct LaunchEndTests {
  private func told(_ launch: LaunchID, _ verdict: String) -> String {
    """
    {"eventType":"lifecycle","timestamp":2000,"state":"previous_launch_ended","details":{"verdict":"\(verdict)",\
    "evidence":"memory was critical: 412 of 450 MB","launchId":"\(launch)","lastSeen":"1500"},"contextId":1}
    """
  }

  @Test func `a launch has the end that a later one told, whichever arrives first, and only the first`() async throws {
    try await RunningCollector.with { collector in
      var first = RawBatch()
      first.addContext(1, session: "s-1")
      first.addLog("one", at: 1000)
      var second = RawBatch()
      second.addContext(1, session: "s-2")
      second.add(.eventAndBreadcrumb, told(first.launch, "out_of_memory"))
      second.add(.eventAndBreadcrumb, told(first.launch, "user_kill"))
      try await collector.post(raw: second)
      _ = try await collector.waitForLaunch(second.launch, stored: 2)
      try await collector.post(raw: first)
      let row = try await collector.waitForLaunch(first.launch, stored: 1)
      #expect(row["end"]["verdict"].string == "out_of_memory")
      #expect(row["end"]["evidence"].string == "memory was critical: 412 of 450 MB")
      #expect(row["end"]["lastSeen"].int == 1500)
      #expect(try await collector.json("/api/launches").launch(second.launch)["end"] == .null)
      let session = try await collector.json("/api/sessions/s-1")
      #expect(session["launchLedgers"][0]["end"]["verdict"].string == "out_of_memory")
      #expect(session["lastEnd"].string == "out_of_memory")
      #expect(try await collector.json("/api/sessions/s-2")["lastEnd"] == .null)
    }
  }

  @Test func `other lifecycle events, and those that say too little, end nothing`() async throws {
    try await RunningCollector.with { collector in
      var batch = RawBatch()
      batch.addContext(1, session: "s-1")
      for details in ["{}", #"{"launchId":"x"}"#, #"{"verdict":"crash"}"#, "7", #"{"verdict":7,"launchId":"x"}"#] {
        batch.add(
          .event,
          #"{"eventType":"lifecycle","timestamp":1,"state":"previous_launch_ended","details":\#(details),"contextId":1}"#
        )
      }
      batch.add(.event, #"{"eventType":"lifecycle","timestamp":1,"state":"foreground","contextId":1}"#)
      try await collector.post(raw: batch)
      let row = try await collector.waitForLaunch(batch.launch, stored: 6)
      #expect(row["end"] == .null && row["quarantined"].int == 0)
    }
  }
}
