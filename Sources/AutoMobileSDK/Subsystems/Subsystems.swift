extension SdkEnvironment.Subsystem {
  /// Those of an app, in the order in which they start.
  static var all: [SdkEnvironment.Subsystem] {
    // Crashes first, so that what crashes in the others is reported.
    var all = [
      crashes, barrierReporter, .log(AutoMobileLog.shared), failures, .hangs(AutoMobileHangs.shared),
      .network(AutoMobileNetwork.shared),
      navigation, viewBodies, osEvents, systemNotifications, notifications, biometrics,
      .interaction(AutoMobileInteractionTracker.shared),
      userDefaults, databases,
    ]
    #if canImport(UIKit) && !os(watchOS)
    all += [
      .screens(ScreensSubsystem.shared), .frames(FramesSubsystem.shared), .launchTime(LaunchTimeSubsystem.shared),
    ]
    #endif
    #if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
    all.append(metricKit)
    #endif
    return all
  }

  private static let crashes = Self(
    name: .crashes,
    start: { AutoMobileCrashes.shared.start($0) },
    // The app may have asked for signals before.
    rest: { _ in AutoMobileCrashes.shared.setEnabled(false) },
    setEnabled: { enabled, host in
      if enabled { AutoMobileCrashes.shared.restoreLane(host) }
      AutoMobileCrashes.shared.setEnabled(enabled)
    },
    isEnabled: { AutoMobileCrashes.shared.isEnabled },
    erase: { isDenial in if isDenial { AutoMobileCrashes.shared.giveUpLane() } },
    reset: { AutoMobileCrashes.shared.reset() })

  static func log(_ log: AutoMobileLog) -> Self {
    Self(
      name: .log,
      rest: { _ in log.setBuffer(nil) },
      setEnabled: { log.setBuffer($0 ? $1.buffer : nil) },
      isEnabled: { log.isRecording },
      reset: { log.reset() })
  }

  private static let failures = Self(
    name: .failures,
    start: { AutoMobileFailures.shared.start($0) },
    rest: { AutoMobileFailures.shared.rest($0) },
    setEnabled: { enabled, _ in AutoMobileFailures.shared.setEnabled(enabled) },
    isEnabled: { AutoMobileFailures.shared.isEnabled },
    erase: { _ in AutoMobileFailures.shared.erase() },
    reset: { AutoMobileFailures.shared.reset() })

  static func hangs(_ hangs: AutoMobileHangs) -> Self {
    Self(
      name: .hangs,
      start: { hangs.initialize($0) },
      setEnabled: { enabled, _ in if enabled { hangs.startMonitoring() } else { hangs.stopMonitoring() } },
      isEnabled: { hangs.isMonitoring },
      reset: { hangs.reset() })
  }

  static func network(_ network: AutoMobileNetwork) -> Self {
    Self(
      name: .network,
      start: { network.start($0) },
      rest: { network.rest($0) },
      setEnabled: { network.setEnabled($0, $1) },
      isEnabled: { network.isEnabled },
      reset: { network.reset() })
  }

  private static let navigation = Self(
    name: .navigation,
    setEnabled: { enabled, _ in
      if enabled { SwiftUINavigationAdapter.shared.start() } else { SwiftUINavigationAdapter.shared.stop() }
    },
    isEnabled: { SwiftUINavigationAdapter.shared.isActive },
    reset: { SwiftUINavigationAdapter.shared.stop() })

  private static let viewBodies = Self(
    name: .viewBodies,
    start: { ViewBodyTracker.shared.initialize(buffer: $0.buffer) },
    setEnabled: { enabled, _ in ViewBodyTracker.shared.setEnabled(enabled) },
    isEnabled: { ViewBodyTracker.shared.isEnabled },
    reset: { ViewBodyTracker.shared.reset() })

  private static let osEvents = Self(
    name: .osEvents,
    start: { AutoMobileOsEvents.shared.start(bundleId: $0.bundleId, buffer: $0.buffer) },
    setEnabled: { enabled, _ in AutoMobileOsEvents.shared.setEnabled(enabled) },
    isEnabled: { AutoMobileOsEvents.shared.isEnabled },
    reset: { AutoMobileOsEvents.shared.reset() })

  private static let systemNotifications = Self(
    name: .systemNotifications,
    start: { AutoMobileNotificationObserver.shared.start(buffer: $0.buffer) },
    setEnabled: { enabled, _ in AutoMobileNotificationObserver.shared.setEnabled(enabled) },
    isEnabled: { AutoMobileNotificationObserver.shared.isEnabled },
    reset: { AutoMobileNotificationObserver.shared.reset() })

  /// Records what a handler says that the app has installed.
  private static let notifications = Self(
    start: { AutoMobileNotifications.shared.start(buffer: $0.buffer) },
    reset: { AutoMobileNotifications.shared.reset() })

  /// Lets a test decide through a collector.
  private static let biometrics = Self(
    start: { host in host.control.map { BiometricCommands(biometrics: .shared).register(in: $0) } },
    reset: { AutoMobileBiometrics.shared.reset() })

  private static let userDefaults = Self(
    name: .userDefaults,
    start: { UserDefaultsInspector.shared.start($0) },
    setEnabled: { enabled, _ in UserDefaultsInspector.shared.setEnabled(enabled) },
    isEnabled: { UserDefaultsInspector.shared.isEnabled },
    reset: { UserDefaultsInspector.shared.reset() })

  private static let databases = Self(
    name: .databases,
    start: { DatabaseInspector.shared.start($0) },
    setEnabled: { enabled, _ in DatabaseInspector.shared.setEnabled(enabled) },
    isEnabled: { DatabaseInspector.shared.isEnabled },
    reset: { DatabaseInspector.shared.reset() })
}
