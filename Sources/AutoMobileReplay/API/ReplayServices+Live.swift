import AutoMobileRecorder
import AutoMobileSupport
import Foundation

extension ReplayServices {
  /// The process as it is; nil when the SDK is not initialized, or has no collector.
  static func live(_ publicKey: String, _ options: ReplayOptions, sdk: AutoMobileSDK = .shared) -> ReplayServices? {
    guard let host = sdk.replayHost, let base = options.endpoint ?? host.endpoint, base.host?.isEmpty == false,
      ["http", "https"].contains(base.scheme?.lowercased() ?? "")
    else { return nil }
    var services = ReplayServices(
      root: host.directory.appendingPathComponent("replay", isDirectory: true), owner: host.owner, base: base,
      publicKey: publicKey, device: DeviceDescription(host))
    services.options = options
    services.journal.isSingleInstance = host.isSingleInstance
    services.launch = host.launch
    services.stretches = host.stretches
    services.transport = URLSessionTransport(networks: host.networks)
    services.credentials = SystemCredentials.store
    #if canImport(Network)
    services.path = SystemPathMonitor()
    #endif
    services.telemetry = SdkTelemetry(sdk: sdk)
    services.draw = launchDraw
    services.capture = SystemCapture.make()
    return services
  }

  /// A launch is recorded, or it is not: also when it starts again.
  private static let launchDraw = Double.random(in: 0..<100)
}

/// Where the credential is, on this platform.
enum SystemCredentials {
  #if canImport(Security)
  static let store: any CredentialStore = KeychainCredentialStore()
  #else
  static let store: any CredentialStore = MemoryCredentialStore()
  #endif
}

/// Who takes pictures, on this platform.
package enum SystemCapture {
  /// Set by whoever has another one than the platform's: a test, the demo.
  package static let maker = Locked<(@Sendable () -> any ReplayCapture)?>(nil)

  static func make() -> (any ReplayCapture)? {
    if let maker = maker.withLock({ $0 }) { return maker() }
    #if canImport(UIKit) && !os(watchOS)
    return ofWindows
    #else
    return nil
    #endif
  }

  #if canImport(UIKit) && !os(watchOS)
  /// One for all sessions: it observes the app's windows.
  private static let ofWindows = ScreenCapture.live {
    AutoMobileSDK.shared.currentScreenName.map(AutoMobileSDK.redacted(screenName:))
  }
  #endif
}

extension DeviceDescription {
  init(_ host: ReplayHost) {
    var metadata = [
      "os": host.device.systemName, "osVersion": host.device.osVersion, "model": host.device.model,
      "timeZone": TimeZone.current.identifier, "region": Locale.current.regionCode ?? "",
    ]
    metadata["app"] = host.appVersion
    metadata["build"] = host.appBuild
    #if targetEnvironment(simulator)
    metadata["simulated"] = "true"
    #else
    metadata["simulated"] = "false"
    #endif
    self.init(
      deviceId: host.anonymousId ?? Self.processDevice, bundleId: host.bundleId ?? host.owner,
      platform: host.device.systemName.lowercased(), metadata: metadata)
  }

  /// Where no installation has a name: one for this process.
  private static let processDevice = UUID().uuidString
}
