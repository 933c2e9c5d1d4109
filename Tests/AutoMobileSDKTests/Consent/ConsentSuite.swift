import Foundation

@testable import AutoMobileRecorder

/// What the suites about consent begin with.
protocol ConsentSuite {}

extension ConsentSuite {
  func harness(
    _ collector: TestCollector, _ directory: TemporaryDirectory, store: MemoryStore = MemoryStore(),
    consent: Consent = .granted, initialized: Bool = true, subsystems: [SdkEnvironment.Subsystem] = []
  ) throws -> SdkHarness {
    try SdkHarness(
      directory: directory, initialized: initialized, realTimers: true, hasControlChannel: true,
      subsystems: subsystems
    ) {
      $0.endpoint = collector.url
      $0.flushIntervalMs = 5
      $0.consent = consent
      $0.storage = .directory(directory.file("recordings"))
    } environment: {
      $0.makeStore = { store }
      $0.isDebugBuild = true
    }
  }

  func say(_ consent: Consent, _ harness: SdkHarness) async {
    await withCheckedContinuation { done in harness.sdk.setConsent(consent) { done.resume() } }
  }

  func files(_ directory: TemporaryDirectory) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.file("recordings").path)) ?? []
  }
}
