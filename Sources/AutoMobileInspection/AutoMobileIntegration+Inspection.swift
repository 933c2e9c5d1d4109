import AutoMobileRecorder

extension AutoMobileIntegration {
  /// Looking at user defaults and SQLite databases from outside, and changing them: for debug builds.
  public static var inspection: Self {
    Self(.inspection) { environment in
      environment.subsystems.append(.userDefaults)
      environment.subsystems.append(.databases)
    }
  }
}

extension SdkEnvironment.Subsystem {
  static let userDefaults = Self(
    name: .userDefaults,
    start: { UserDefaultsInspector.shared.start($0) },
    setEnabled: { enabled, _ in UserDefaultsInspector.shared.setEnabled(enabled) },
    isEnabled: { UserDefaultsInspector.shared.isEnabled },
    reset: { UserDefaultsInspector.shared.reset() })

  static let databases = Self(
    name: .databases,
    start: { DatabaseInspector.shared.start($0) },
    setEnabled: { enabled, _ in DatabaseInspector.shared.setEnabled(enabled) },
    isEnabled: { DatabaseInspector.shared.isEnabled },
    reset: { DatabaseInspector.shared.reset() })
}
