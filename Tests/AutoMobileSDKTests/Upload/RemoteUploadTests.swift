import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// Rules that a collector sends, in an SDK as an app has it.
@Suite struct RemoteUploadTests {
  private func harness(_ collector: TestCollector, _ directory: TemporaryDirectory? = nil) throws -> SdkHarness {
    try SdkHarness(directory: directory, realTimers: true, hasControlChannel: true) {
      $0.endpoint = collector.url
      $0.apiKey = "key"
      $0.flushIntervalMs = 5
      $0.remoteCommands = .none
    }
  }

  private func names(_ collector: TestCollector) -> Set<String> {
    Set(collector.events.compactMap { $0["name"] as? String })
  }

  private let rules = #"""
    "upload":{"schema":1,"mode":"whenTriggered","rules":[
      {"name":"wanted","when":{"event":{"type":"custom","name":"trigger"}},"send":{"minutesBefore":0,"minutesAfter":0}},
      {"name":"odd","when":{"regex":".*"}}]}
    """#

  @Test
  func
    `a collector's rules hold from when they arrive, in the next launch from its first event on, and what is refused is told`()
    async throws
  {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let launch: LaunchID
    do {
      let first = try harness(collector, directory)
      first.sdk.trackEvent(name: "before")
      #expect(await eventually { collector.delivered == 1 })
      collector.set(1, rules)
      first.sdk.trackEvent(name: "carries the news")
      #expect(await eventually { first.sdk.diagnostics.upload?.isKeeping == true })
      let status = try #require(first.sdk.diagnostics.upload)
      #expect(status.rules == ["wanted"])
      #expect(status.refused.count == 1 && status.refused.first?.hasPrefix(#"upload.rules[1] ("odd").when: "#) == true)
      #expect(
        await eventually {
          first.sdk.diagnostics.control?.log.contains { $0.kind == .refused && $0.message.contains(#"("odd")"#) }
            == true
        })
      launch = try #require(first.sdk.runtime).journal.launch
      // Then the document is also on disk, for the next launch.
      #expect(
        await eventually {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? []
          guard let saved = names.first(where: { $0.hasPrefix("control-") && $0.hasSuffix(".json") }) else {
            return false
          }
          return (try? Data(contentsOf: directory.file(saved)))?.range(of: Data("wanted".utf8)) != nil
        })
    }
    try await SdkHarness.waitUntilGone(launch)
    let delivered = collector.delivered
    let second = try harness(collector, directory)
    // Their times are those of another millisecond than the trigger's, or they would be part of what it names.
    let now = EventClock.now()
    for number in 0..<50 { second.sdk.record(SdkCustomEvent(timestamp: now - 1000, name: "kept \(number)")) }
    second.sdk.record(SdkCustomEvent(timestamp: now, name: "trigger"))
    #expect(await eventually { collector.delivered > delivered })
    #expect(await eventually { second.sdk.diagnostics.upload?.isKeeping == true })
    let journal = try #require(second.sdk.runtime).journal
    #expect(await eventually { journal.ledger.kept.map { $0 >= 50 } ?? false })
    #expect(await eventually { names(collector).contains("trigger") })
    #expect(!names(collector).contains { $0.hasPrefix("kept") })
    // And back again.
    collector.set(2, #""upload":{"mode":"everything"}"#)
    second.sdk.trackEvent(name: "trigger")
    #expect(await eventually { names(collector).isSuperset(of: (0..<50).map { "kept \($0)" }) })
    #expect(await eventually { second.sdk.diagnostics.upload?.isKeeping == false })
  }

  @Test func `a denial leaves nothing of what was decided, and nothing is kept from then on`() async throws {
    let receiver = try TestReceiver()
    defer { receiver.stop() }
    let harness = try SdkHarness {
      $0.endpoint = receiver.url
      $0.upload = .whenTriggered(
        UploadRules([
          UploadRule("a name", when: .capture, send: UploadSpan(minutesBefore: 0, minutesAfter: 0, perDay: 3))
        ]))
    }
    let sdk = harness.sdk
    for number in 0..<20 { sdk.trackEvent(name: "event \(number)") }
    sdk.capture(reason: "r")
    let names = { (try? FileManager.default.contentsOfDirectory(atPath: harness.directory.url.path)) ?? [] }
    #expect(
      await eventually { names().contains { $0.hasSuffix(".kept") } && names().contains { $0.hasPrefix("upload-") } })
    await withCheckedContinuation { done in sdk.setConsent(.denied) { done.resume() } }
    for number in 0..<20 { sdk.trackEvent(name: "denied \(number)") }
    sdk.capture(reason: "denied")
    #expect(
      !names().contains { $0.hasSuffix(".kept") || $0.hasPrefix("upload-") || $0.hasSuffix(".journal") }, "\(names())")
  }
}
