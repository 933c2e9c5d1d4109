@testable import AutoMobileCrashReporting
@testable import AutoMobileInterface
@testable import AutoMobileRecorder
@testable import AutoMobileReplay
@testable import AutoMobileRequests

extension ReplayRecorder {
  /// The recorder on an SDK as it is, configured, but for the keychain.
  static func live(
    _ sdk: AutoMobileSDK, _ network: AutoMobileNetwork,
    credentials: any CredentialStore = MemoryCredentialStore()
  ) -> ReplayRecorder {
    let telemetry = SdkTelemetry(
      sdk: sdk, network: network, hangs: AutoMobileHangs(), touches: AutoMobileInteractionTracker())
    let recorder = ReplayRecorder(telemetry: telemetry) { key, options in
      var services = ReplayServices.live(key, options, sdk: sdk)
      services?.telemetry = telemetry
      services?.credentials = credentials
      return services
    }
    recorder.configure(publicKey: "key", options: ReplayOptions(autoTrackNetwork: true))
    return recorder
  }
}
