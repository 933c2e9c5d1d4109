import AutoMobileSDK
import AutoMobileSupport
import Foundation
import TestTools
import Testing

@testable import AutoMobileRecorder

@Suite struct SdkConcurrencyTests {
  /// Runs bodies on threads of their own, and returns when all have ended.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let left = Locked(count)
      for number in 0..<count {
        Thread.detachNewThread {
          body(number)
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
      }
    }
  }

  @Test func `eight threads may call all of it at once, initialization and reset included`() async throws {
    let harness = try SdkHarness(initialized: false, realTimers: true) {
      $0.bufferSize = 10
      $0.flushIntervalMs = 1
    }
    let sdk = harness.sdk
    let resets = AtomicWord()
    let end = Date().addingTimeInterval(1.2)
    await onThreads(8) { number in
      var random = SeededRandom(UInt64(number) + 1)
      var observation: BatchObservation?
      while Date() < end {
        switch Int.random(in: 0..<400, using: &random) {
        // Each launch has files of its own, which stay until the end: some dozens will do.
        case 0 where resets.add(1) < 40: sdk.reset()
        case 1..<20: harness.initialize()
        case 20: sdk.shutdown()
        case 21..<30: sdk.setEnabled(Bool.random(using: &random))
        case 30..<35: observation = sdk.observeBatches { events in _ = events.count }
        case 35: observation?.cancel()
        case 36..<60: sdk.setUserId("user \(number)")
        case 60..<70: sdk.setTag("thread", value: "\(number)")
        case 70..<80: sdk.removeTag("thread")
        case 80..<90: sdk.addBreadcrumb("crumb")
        case 90..<92: _ = sdk.breadcrumbs()
        case 92: _ = sdk.previousLaunchBreadcrumbs()
        case 93..<100: _ = sdk.diagnostics
        case 100..<105: sdk.flush()
        case 105..<110: sdk.clearNavigationListeners()
        case 110..<115: sdk.addNavigationListener { _ in }
        case 115: sdk.addEventProcessor { $0 }
        case 116..<130: _ = (sdk.isInitialized, sdk.isEnabled, sdk.configuration, sdk.bundleId, sdk.listenerCount)
        case 130..<140: _ = (sdk.currentSessionId(), sdk.sdkContext?.snapshot(), sdk.dropCounter?.snapshot())
        case 140..<200: sdk.getEventBuffer()?.add(SdkLifecycleEvent(state: "a"))
        case 200..<250: sdk.notifyNavigationEvent(NavigationEvent(destination: "a", source: .custom))
        case 250..<300: sdk.record(SdkHangEvent(durationMs: 1, stackTrace: nil, bundleId: "a"))
        default: sdk.trackEvent(name: "a", properties: ["thread": "\(number)"])
        }
      }
    }
  }

  @Test func `what many threads record is all there, and the ledger agrees`() async throws {
    let harness = try SdkHarness()
    let sdk = harness.sdk
    await onThreads(4) { number in
      for i in 0..<500 {
        sdk.trackEvent(name: "\(number)-\(i)")
        if i % 100 == 0 { sdk.setTag("thread", value: "\(number)") }
      }
    }
    let names = try harness.recorded().compactMap { ($0.event as? SdkCustomEvent)?.name }
    #expect(Set(names).count == names.count)
    try harness.expectBalancedLedger(recorded: 2000)
  }

  @Test func `of threads that change the context the last one has its way, in the journal as well`() async throws {
    let harness = try SdkHarness()
    let sdk = harness.sdk
    await onThreads(4) { number in
      for i in 0..<200 { sdk.setUserId("\(number)-\(i)") }
    }
    sdk.trackEvent(name: "after")
    let context = try #require(harness.recorded().last?.context)
    #expect(context["userId"] as? String == sdk.sdkContext?.userId)
  }
}
