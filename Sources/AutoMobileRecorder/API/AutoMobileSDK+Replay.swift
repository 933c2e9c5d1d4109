import Foundation

/// What session replay finds of the SDK that it rides on.
package struct ReplayHost: Sendable {
  /// Where recordings lie.
  package let directory: URL
  /// Who records: a bundle id or the name of a program.
  package let owner: String
  package let bundleId: String?
  package let appVersion: String?
  package let appBuild: String?
  /// The installation's name; nil where none is kept.
  package let anonymousId: String?
  package let device: SdkDeviceInfo
  /// The collector.
  package let endpoint: URL?
  package let isSingleInstance: Bool
  /// The launch, as events and what rules name are told apart by it.
  package let launch: String
  /// What may leave the device.
  package let stretches: ReplayStretches
  /// Over which networks the app lets the SDK send.
  package let networks: NetworkPermissions
  /// Tells of the app's life; nil where nobody does.
  package let lifecycle: (any ApplicationLifecycle)?
  /// Asks for time when the app leaves. On the thread that hears of that.
  package let lendTime: BackgroundDelivery.Begin
}

extension AutoMobileSDK {
  /// Nil before initialization.
  package var replayHost: ReplayHost? { runtime?.replayHost }

  /// Whether pictures may be taken, and anything leave the device, at this moment.
  package var mayUpload: Bool {
    let (isInitializing, runtime) = state.withLock { ($0.phase == .initializing, $0.runtime) }
    // What the user has allowed is not known yet.
    guard !isInitializing else { return false }
    return isObserving && consent == .granted && runtime?.isSafe != true
  }

  /// Whether the app has said that it does not want these, and has not taken it back.
  package func hasSwitchedOff(_ subsystems: AutoMobileSubsystems) -> Bool {
    state.withLock { !$0.switches.off.isDisjoint(with: subsystems) }
  }

  /// The screen that the app was last said to be on.
  package var currentScreenName: String? { currentScreen.noted }

  /// The name of a screen, which may be an address: without the secrets in it, as addresses of requests are recorded.
  package static func redacted(screenName name: String) -> String {
    guard name.contains("://") || name.contains("?") else { return name }
    return AddressRedaction.current.redactedURL(name)
  }
}

extension SdkRuntime {
  fileprivate var replayHost: ReplayHost {
    let place = RecordingPlace(bundleId: bundleId, configuration: configuration, environment: environment)
    return ReplayHost(
      directory: directory, owner: place.owner, bundleId: bundleId, appVersion: environment.appVersion,
      appBuild: environment.appBuild, anonymousId: identity?.anonymousId, device: environment.device,
      endpoint: configuration.endpoint ?? environment.defaultEndpoint, isSingleInstance: environment.isSingleInstance,
      launch: journal.launch.description, stretches: replayStretches,
      networks: configuration.delivery.networks, lifecycle: environment.makeLifecycle?(),
      lendTime: BackgroundDelivery.beginTask)
  }
}
