import AutoMobileRecorder

extension AutoMobileIntegration {
  /// What is seen and touched: screens, taps and gestures, bodies of views, frames, and how long the launch took.
  public static var interface: Self {
    Self(.interface) { environment in
      environment.subsystems.append(.navigation)
      environment.subsystems.append(.viewBodies)
      environment.subsystems.append(.interaction(AutoMobileInteractionTracker.shared))
      #if canImport(UIKit) && !os(watchOS)
      environment.subsystems.append(.screens(ScreensSubsystem.shared))
      environment.subsystems.append(.frames(FramesSubsystem.shared))
      environment.subsystems.append(.launchTime(LaunchTimeSubsystem.shared))
      #endif
    }
  }
}

extension SdkEnvironment.Subsystem {
  static let navigation = Self(
    name: .navigation,
    setEnabled: { enabled, _ in
      if enabled { SwiftUINavigationAdapter.shared.start() } else { SwiftUINavigationAdapter.shared.stop() }
    },
    isEnabled: { SwiftUINavigationAdapter.shared.isActive },
    reset: { SwiftUINavigationAdapter.shared.stop() })

  static let viewBodies = Self(
    name: .viewBodies,
    start: { ViewBodyTracker.shared.initialize(buffer: $0.buffer) },
    setEnabled: { enabled, _ in ViewBodyTracker.shared.setEnabled(enabled) },
    isEnabled: { ViewBodyTracker.shared.isEnabled },
    reset: { ViewBodyTracker.shared.reset() })
}
