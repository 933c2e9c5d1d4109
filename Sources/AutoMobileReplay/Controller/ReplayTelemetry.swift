import AutoMobileCrashReporting
import AutoMobileInterface
import AutoMobileRecorder
import AutoMobileRequests

/// What replay uses of telemetry. Returns at once, from any thread.
package protocol ReplayTelemetry: Sendable {
  /// The session of telemetry that the app is in.
  var sessionId: String? { get }
  /// Every event from now on carries this id; nil: none.
  func mark(_ replayId: String?)
  /// Covers requests, and undoes that, for replay's part: whoever else wants them covered has them covered.
  func startInterception()
  func stopInterception()
  /// What touches may tell of the screen from now on; nil: what they tell outside of replays.
  func useMasking(_ rules: MaskingRules?)
  /// Records touches, and undoes that, likewise.
  func startTouches()
  func stopTouches()
  /// Calls `observer` with the app's freezes for as long as the object lives that it returns.
  func observeFreezes(_ observer: @escaping @Sendable (TimelineEvent) -> Void) -> AnyObject?
  func trackScreen(_ name: String, at time: Int64)
  func logEvent(_ name: String, _ properties: [String: MetadataValue])
  func identify(_ userId: String?)
}

/// The SDK's.
package final class SdkTelemetry: ReplayTelemetry {
  private let sdk: AutoMobileSDK
  private let network: AutoMobileNetwork
  private let hangs: AutoMobileHangs
  private let touches: AutoMobileInteractionTracker

  package init(
    sdk: AutoMobileSDK = .shared, network: AutoMobileNetwork = .shared, hangs: AutoMobileHangs = .shared,
    touches: AutoMobileInteractionTracker = .shared
  ) {
    self.touches = touches
    self.sdk = sdk
    self.network = network
    self.hangs = hangs
  }

  package var sessionId: String? { sdk.currentSessionId() }

  package func mark(_ replayId: String?) { sdk.sdkContext?.replayId = replayId }

  package func startInterception() { network.startInterception(for: self) }

  package func stopInterception() { network.stopInterception(for: self) }

  package func useMasking(_ rules: MaskingRules?) { MaskingRules.current = rules ?? MaskingRules() }

  package func startTouches() {
    // What the app has said about them counts.
    if !sdk.hasSwitchedOff(.interaction) { touches.start(for: self) }
  }

  package func stopTouches() { touches.stop(for: self) }

  package func observeFreezes(_ observer: @escaping @Sendable (TimelineEvent) -> Void) -> AnyObject? {
    hangs.observeFreezes { notice in
      switch notice {
      case .began(let id, let startedAt, _): observer(.freezeBegan(id: id, startedAt: startedAt))
      case .ended(let id, let durationMs): observer(.freezeEnded(id: id, durationMs: durationMs))
      }
    }
  }

  package func trackScreen(_ name: String, at time: Int64) {
    sdk.notifyNavigationEvent(NavigationEvent(destination: name, source: .custom, timestamp: time))
  }

  package func logEvent(_ name: String, _ properties: [String: MetadataValue]) {
    sdk.trackEvent(name: name, properties: properties)
  }

  package func identify(_ userId: String?) { sdk.setUserId(userId) }
}
