import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// What a collector asks of an app that runs and keeps everything.
@Suite struct HeardAskTests {
  @Test func `an ask is heard while nothing is delivered, what is kept goes, and the ledger says less is kept`()
    async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    let harness = try SdkHarness(realTimers: true, hasControlChannel: true) {
      $0.endpoint = collector.url
      $0.apiKey = "key"
      $0.flushIntervalMs = 5
      $0.remoteCommands = .none
      $0.upload = .whenTriggered(UploadRules([]))
    }
    let sdk = harness.sdk
    sdk.setUserId("eve")
    for number in 0..<20 { sdk.trackEvent(name: "kept \(number)") }
    let journal = try #require(sdk.runtime).journal
    #expect(await eventually { !collector.questions.isEmpty })
    #expect(await eventually { journal.ledger.kept ?? 0 >= 20 })
    #expect(collector.delivered == 0)
    let asked = try #require(collector.questions.last?.headers["x-automobile-asker"])
    #expect(asked.contains("user=eve") && asked.contains("session="))
    let start = ContinuousClock.now
    collector.set(
      0, #""upload":{"asks":[{"id":"1","user":"eve","reason":"ticket"}]}"#, tag: "0-test-1")
    #expect(
      await eventually {
        Set(collector.events.compactMap { $0["name"] as? String }).isSuperset(of: (0..<20).map { "kept \($0)" })
      })
    // It asks more and more seldom, up to once a minute: as long as this took before, that long it may wait now.
    #expect(ContinuousClock.now - start < .seconds(45))
    #expect(await eventually { journal.ledger.kept ?? .max < 20 })
    #expect(sdk.diagnostics.upload?.asks == ["1"])
    let delivery = try #require(collector.requests.first { $0.path == "/sdk-events" })
    #expect(delivery.headers["x-automobile-asker"]?.contains("user=eve") == true)
  }

  @Test func `an app that sends everything says nothing of itself, and listens for nothing`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    collector.offer("50")
    let harness = try SdkHarness(realTimers: true, hasControlChannel: true) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
      $0.remoteCommands = .none
    }
    harness.sdk.setUserId("eve")
    harness.sdk.trackEvent(name: "sent")
    #expect(await eventually { collector.delivered > 0 })
    #expect(collector.requests.allSatisfy { $0.headers["x-automobile-asker"] == nil })
    #expect(collector.questions.isEmpty)
  }
}
