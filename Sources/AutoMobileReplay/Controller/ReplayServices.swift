import AutoMobileRecorder
import Foundation

/// Everything that a recorder takes from the world around it, so that a test can put something else there.
package struct ReplayServices: Sendable {
  /// Where sessions are kept.
  package var root: URL
  package var owner: String
  package var base: URL
  package var publicKey: String
  package var device: DeviceDescription
  package var options = ReplayOptions()
  package var transport: any RequestTransport = URLSessionTransport()
  package var credentials: any CredentialStore = MemoryCredentialStore()
  package var path: any PathMonitor = UnmonitoredPath()
  package var capture: (any ReplayCapture)?
  package var captureSettings = CaptureSettings()
  package var telemetry: any ReplayTelemetry = SdkTelemetry()
  /// The SDK's launch, and what of it rules and asks name; nil: everything goes.
  package var launch: String?
  package var stretches: ReplayStretches?
  package var journal = SessionJournalOptions()
  package var frameBudget = 48 << 20
  package var now: @Sendable () -> ReplayMoment = {
    ReplayMoment(wall: Clocks.millisecondsSince1970(), steady: Clocks.continuousMilliseconds())
  }
  /// How often it is written down how far a session has come, in milliseconds.
  package var checkpointInterval = Checkpoint.intervalMs
  /// Calls a block after so many milliseconds.
  package var after: @Sendable (Int64, @escaping @Sendable () -> Void) -> Void = { milliseconds, block in
    let deadline = DispatchTime.now() + .milliseconds(Int(clamping: max(0, milliseconds)))
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: deadline, execute: block)
  }
  package var sleep: @Sendable (Int64) async throws -> Void = { milliseconds in
    try await Task.sleep(nanoseconds: UInt64(clamping: max(0, milliseconds)) &* 1_000_000)
  }
  /// This launch's lot, 0 to 100, the latter excluded.
  package var draw = Double.random(in: 0..<100)
  /// Called when a session has begun.
  package var onBegin: (@Sendable () -> Void)?
  /// Called when it has ended.
  package var onEnd: (@Sendable () -> Void)?
  /// How long a stop waits for what is left to be uploaded, in milliseconds. The upload goes on after it.
  package var conclusionPatience: Int64 = 10_000

  package init(root: URL, owner: String, base: URL, publicKey: String, device: DeviceDescription) {
    self.root = root
    self.owner = owner
    self.base = base
    self.publicKey = publicKey
    self.device = device
  }
}
