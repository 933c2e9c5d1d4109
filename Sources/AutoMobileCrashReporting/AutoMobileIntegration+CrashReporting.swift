import AutoMobileRecorder

extension AutoMobileIntegration {
  /// Crashes, hangs, failures that the app has dealt with, what ended the launch before, and what the system diagnosed.
  public static var crashReporting: Self {
    Self(.crashReporting) { environment in
      environment.subsystems.append(.crashes)
      environment.subsystems.append(.failures)
      environment.subsystems.append(.hangs(AutoMobileHangs.shared))
      #if canImport(MetricKit) && (os(iOS) || os(macOS) || os(visionOS))
      environment.subsystems.append(.metricKit)
      #endif
      environment.addLaunchHistory { .system }
    }
  }
}

extension SdkEnvironment.Subsystem {
  static let crashes = Self(
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
    failure: { AutoMobileCrashes.shared.failure },
    reset: { AutoMobileCrashes.shared.reset() })

  static let failures = Self(
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
}
