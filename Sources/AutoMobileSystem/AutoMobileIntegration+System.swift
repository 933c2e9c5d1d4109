import AutoMobileRecorder

extension AutoMobileIntegration {
  /// What the system tells: the device's state, its notifications and the user's answers to the app's, biometrics.
  public static var system: Self {
    Self(.system) { environment in
      environment.subsystems.append(.osEvents)
      environment.subsystems.append(.systemNotifications)
      environment.subsystems.append(.notifications)
      environment.subsystems.append(.biometrics)
    }
  }
}

extension SdkEnvironment.Subsystem {
  static let osEvents = Self(
    name: .osEvents,
    start: { AutoMobileOsEvents.shared.start(bundleId: $0.bundleId, buffer: $0.buffer) },
    setEnabled: { enabled, _ in AutoMobileOsEvents.shared.setEnabled(enabled) },
    isEnabled: { AutoMobileOsEvents.shared.isEnabled },
    reset: { AutoMobileOsEvents.shared.reset() })

  static let systemNotifications = Self(
    name: .systemNotifications,
    start: { AutoMobileNotificationObserver.shared.start(buffer: $0.buffer) },
    setEnabled: { enabled, _ in AutoMobileNotificationObserver.shared.setEnabled(enabled) },
    isEnabled: { AutoMobileNotificationObserver.shared.isEnabled },
    reset: { AutoMobileNotificationObserver.shared.reset() })

  /// Records what a handler says that the app has installed.
  static let notifications = Self(
    start: { AutoMobileNotifications.shared.start(buffer: $0.buffer) },
    reset: { AutoMobileNotifications.shared.reset() })

  /// Lets a test decide through a collector.
  static let biometrics = Self(
    start: { host in host.control.map { BiometricCommands(biometrics: .shared).register(in: $0) } },
    reset: { AutoMobileBiometrics.shared.reset() })
}
