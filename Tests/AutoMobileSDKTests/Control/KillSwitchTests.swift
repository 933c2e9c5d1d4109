import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileRecorder

@Suite struct `The kill switch` {
  private let off = #""recording":{"enabled":false}"#
  private let on = #""recording":{"enabled":true}"#

  private func harness(
    _ collector: TestCollector, _ directory: TemporaryDirectory? = nil,
    subsystems: [SdkEnvironment.Subsystem] = [], commands: RemoteCommandAccess = .none
  ) throws -> SdkHarness {
    try SdkHarness(directory: directory, realTimers: true, hasControlChannel: true, subsystems: subsystems) {
      $0.endpoint = collector.url
      $0.apiKey = "key"
      $0.flushIntervalMs = 5
      $0.remoteCommands = commands
    }
  }

  @Test func `the answer to the next delivery switches recording off, and no event is lost count of`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try harness(collector)
    let sdk = harness.sdk
    sdk.trackEvent(name: "before")
    #expect(await eventually { collector.delivered == 1 })
    collector.set(1, off)
    sdk.trackEvent(name: "carries the news")
    #expect(await eventually { !sdk.isEnabled })
    let before = sdk.diagnostics
    for n in 0..<10 { sdk.trackEvent(name: "after \(n)") }
    sdk.addBreadcrumb("after")
    #expect(sdk.diagnostics.dropped["disabled", default: 0] - before.dropped["disabled", default: 0] == 10)
    #expect(try harness.expectBalancedLedgerOfKilled())
    // The channel tells it when everybody who listens has been told.
    #expect(await eventually { sdk.diagnostics.control?.isRecordingAllowed == false })
    #expect(sdk.diagnostics.control?.version == 1)
  }

  @Test func `the next launch records nothing from its first event on, and sends nothing`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let started = Locked(0)
    let subsystem = SdkEnvironment.Subsystem(start: { _ in started.withLock { $0 += 1 } })
    collector.set(1, off)
    do {
      let first = try harness(collector, directory)
      #expect(await eventually { !first.sdk.isEnabled })
      // Then the document is also on disk, for the next launch.
      #expect(await eventually { first.sdk.diagnostics.control?.lastCheck != nil })
    }
    let second = try harness(collector, directory, subsystems: [subsystem])
    // No waiting here: the switch was seen before `initialize` returned.
    second.sdk.trackEvent(name: "never")
    #expect(!second.sdk.isEnabled)
    #expect(second.sdk.diagnostics.dropped == ["disabled": 1])
    #expect(try second.recorded().isEmpty)
    second.sdk.flush()
    #expect(await eventually { second.sdk.diagnostics.control?.lastStatusCode == 304 })
    #expect(started.withLock { $0 } == 0)
    #expect(!collector.requests.contains { $0.method == "POST" })

    // Switched on again, as the next look finds, it records, starts what records by itself, and delivers its ledger.
    collector.set(2, on)
    second.sdk.runtime?.control?.hear(of: "2-test", from: collector.url)
    #expect(await eventually { second.sdk.isEnabled })
    second.sdk.trackEvent(name: "back")
    #expect(await eventually { collector.delivered == 1 })
    #expect(await eventually { started.withLock { $0 } == 1 })
    #expect(second.sdk.diagnostics.recorded == 2)
    #expect(await eventually { !directory.names.contains { $0.hasSuffix(".off") } })
  }

  @Test(arguments: [false, true])
  func `outlasts an erasure, and goes with a denial`(isDenial: Bool) async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    func control() -> [String] { directory.names.filter { $0.hasPrefix("control-") } }
    collector.set(1, off)
    do {
      let first = try harness(collector, directory)
      #expect(await eventually { !first.sdk.isEnabled && control().count == 2 })
      await withCheckedContinuation { done in
        if isDenial { first.sdk.setConsent(.denied) { done.resume() } } else { first.sdk.eraseAll { done.resume() } }
      }
      #expect(control().count == (isDenial ? 0 : 2))
    }
    guard !isDenial else { return }
    let second = try harness(collector, directory)
    #expect(!second.sdk.isEnabled, "from the first moment on")
  }

  @Test func `app and collector must both allow it`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let harness = try harness(collector)
    let sdk = harness.sdk
    let channel = try #require(sdk.runtime?.control)
    #expect(await eventually { channel.status.version == 0 })
    collector.set(1, off)
    channel.hear(of: "1-test", from: collector.url)
    #expect(await eventually { !sdk.isEnabled })
    sdk.setEnabled(true)
    #expect(!sdk.isEnabled)
    sdk.setEnabled(false)
    sdk.runtime?.presence.sync {}
    collector.set(2, on)
    channel.hear(of: "2-test", from: collector.url)
    channel.queue.sync {}
    #expect(!sdk.isEnabled && channel.status.version == 1, "the app wants nobody to be asked")
    sdk.setEnabled(true)
    #expect(await eventually { sdk.isEnabled && channel.status.version == 2 })
    sdk.trackEvent(name: "a")
    #expect(await eventually { collector.delivered == 1 })
  }

  @Test func `what had been recorded waits for the switch, and is delivered then`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(in: directory) { $0.sdk.trackEvent(name: "left behind") }
    collector.set(1, off)
    let cache = ControlCache(
      directory: directory.url, owner: "com.example.test",
      endpoint: collector.url.appendingPathComponent("sdk-events").absoluteString)
    let document = Data(#"{"version":1,"issuer":"test",\#(off)}"#.utf8)
    try cache.save(ControlCache.Entry(document: document, tag: "1-test", checkedAt: 0), isOff: true)
    let harness = try harness(collector, directory)
    #expect(await eventually { harness.sdk.diagnostics.control?.lastStatusCode == 304 })
    #expect(collector.delivered == 0)
    collector.set(2, on)
    harness.sdk.runtime?.control?.hear(of: "2-test", from: collector.url)
    #expect(await eventually { collector.delivered == 1 })
  }

  @Test func `an SDK that delivers nowhere has no channel`() throws {
    let harness = try SdkHarness(hasControlChannel: true)
    #expect(harness.sdk.diagnostics.control == nil)
    #expect(harness.sdk.runtime?.control == nil)
  }
}

extension SdkHarness {
  /// Everything that was recorded is in the journal, has been delivered, or has a reason.
  fileprivate func expectBalancedLedgerOfKilled() throws -> Bool {
    let diagnostics = sdk.diagnostics
    let dropped = diagnostics.dropped.values.reduce(0, +)
    return try UInt64(recorded().count) + dropped == diagnostics.recorded
  }
}
