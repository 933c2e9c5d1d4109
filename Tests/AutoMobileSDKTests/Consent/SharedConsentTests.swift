import AutoMobileJournal
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// What others say who record into the same place.
@Suite struct `A consent that others have, too`: ConsentSuite {
  @Test func `what is said while the SDK is initialized elsewhere calls back when it has been carried out`()
    async throws
  {
    let directory = try TemporaryDirectory()
    try await SdkHarness.launch(
      in: directory, configure: { [directory] in $0.storage = .directory(directory.file("recordings")) }
    ) { $0.sdk.trackEvent(name: "before") }
    #expect(!files(directory).isEmpty)
    let sdk = Locked<AutoMobileSDK?>(nil)
    let filesThen = Locked<[String]?>(nil)
    let harness = try SdkHarness(directory: directory, initialized: false) {
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      // In the middle of it.
      $0.makeLaunchSessionId = { launch in
        let first = sdk.withLock { sdk in
          defer { sdk = nil }
          return sdk
        }
        first?.setConsent(.denied) {
          let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)) ?? []
          filesThen.withLock { $0 = names }
        }
        return launch.description
      }
    }
    sdk.withLock { $0 = harness.sdk }
    harness.initialize()
    #expect(await eventually { filesThen.withLock { $0 } != nil })
    #expect(filesThen.withLock { $0 } == [])
  }

  @Test func `another process that records into the same place hears of it, and erases what it holds`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let app = try harness(collector, directory, consent: .pending)
    // As an extension does: it has a runtime, and a store, of its own.
    let other = try harness(collector, directory, consent: .pending)
    for number in 0..<10 { other.sdk.trackEvent(name: "\(number)") }
    app.sdk.trackEvent(name: "mine")
    let theirs = try #require(other.sdk.runtime).journal.launch.description
    await say(.denied, app)
    // The other one may begin another file before it hears of it.
    #expect(files(directory).allSatisfy { $0.hasPrefix(theirs) })
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "more")
        return other.sdk.consent == .denied
      })
    #expect(await eventually { files(directory).isEmpty })
    #expect(
      await eventually { other.sdk.diagnostics.recorded == other.sdk.diagnostics.dropped.values.reduce(0, +) },
      "\(other.sdk.diagnostics.dropped)")
    #expect(collector.connectionCount == 0)
  }

  @Test func `who hears of it late takes nothing of what others have recorded since`() async throws {
    let directory = try TemporaryDirectory()
    let app = try SdkHarness(directory: directory) { $0.storage = .directory(directory.file("recordings")) }
    let other = try SdkHarness(bundleId: "com.example.extension", directory: directory) {
      $0.storage = .directory(directory.file("recordings"))
    }
    other.sdk.trackEvent(name: "theirs")
    await withCheckedContinuation { done in app.sdk.eraseAll { done.resume() } }
    app.sdk.trackEvent(name: "mine")
    let launch = try #require(app.sdk.runtime).journal.launch.description
    func isOnDisk() -> Bool { files(directory).contains { $0.hasPrefix(launch) && $0.hasSuffix(".journal") } }
    #expect(await eventually { isOnDisk() })
    other.sdk.runtime?.lookAtConsent()
    #expect(await eventually { other.sdk.diagnostics.dropped == ["erased": 1] })
    #expect(isOnDisk())
    #expect(try app.recorded().count == 1)
  }

  @Test func `a configuration that says no is heard by others, and is not overheard`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let other = try harness(collector, directory, consent: .pending)
    await say(.granted, other)
    let app = try harness(collector, directory, consent: .denied)
    app.sdk.flush()
    app.sdk.runtime?.lookAtConsent()
    app.sdk.runtime?.presence.sync {}
    #expect(app.sdk.consent == .denied)
    #expect(
      await eventually {
        other.sdk.trackEvent(name: "more")
        return other.sdk.consent == .denied
      })
  }

  @Test func `what is said while the process looks at what others said is not lost`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    let harness = try harness(collector, directory, consent: .pending)
    let runtime = try #require(harness.sdk.runtime)
    await say(.pending, harness)
    // It is about to look, and finds what the file said before.
    let mayGoOn = DispatchSemaphore(value: 0)
    runtime.presence.async { mayGoOn.wait() }
    try await Task.sleep(nanoseconds: 1_100_000_000)
    runtime.lookAtConsent()
    harness.sdk.setConsent(.denied)
    mayGoOn.signal()
    runtime.presence.sync {}
    #expect(harness.sdk.consent == .denied && !harness.sdk.isEnabled)
    #expect(await eventually { files(directory).isEmpty })
  }

  @Test func `an erasure decides nothing, and takes back nothing that another process has said`() async throws {
    let collector = try TestCollector()
    defer { collector.stop() }
    let directory = try TemporaryDirectory()
    do {
      let harness = try harness(collector, directory)
      await withCheckedContinuation { done in harness.sdk.eraseAll { done.resume() } }
    }
    let other = try harness(collector, directory, consent: .pending)
    #expect(other.sdk.consent == .pending, "nobody has been asked")
    let app = try harness(collector, directory, consent: .pending)
    await say(.denied, app)
    // It has not heard of that.
    await withCheckedContinuation { done in other.sdk.eraseAll { done.resume() } }
    let next = try harness(collector, directory)
    #expect(next.sdk.consent == .denied)
  }
}
