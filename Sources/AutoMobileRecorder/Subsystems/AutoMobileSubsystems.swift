/// What the SDK records on its own: each can be left out at initialization, and switched off and on later.
///
///     let configuration = AutoMobileConfiguration(subsystems: .standard.subtracting(.osEvents).union(.interaction))
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app", configuration: configuration)
///     AutoMobileSDK.shared.setEnabled(true, for: .viewBodies)
///
/// What the app records itself (``AutoMobileSDK/record(_:)``, ``AutoMobileSDK/trackEvent(name:properties:)-(_,[String:String])``) has
/// no switch but ``AutoMobileSDK/setEnabled(_:)``.
public struct AutoMobileSubsystems: OptionSet, Sendable, Hashable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Reports of crashes, by `AutoMobileCrashes`. Signals are reported only when the app has asked for that, too.
  public static let crashes = AutoMobileSubsystems(rawValue: 1 << 0)
  /// Errors that the app has dealt with, by `AutoMobileFailures`.
  public static let failures = AutoMobileSubsystems(rawValue: 1 << 1)
  /// Log entries that a filter asks for, by ``AutoMobileLog``.
  public static let log = AutoMobileSubsystems(rawValue: 1 << 2)
  /// The main thread is watched, by `AutoMobileHangs`.
  public static let hangs = AutoMobileSubsystems(rawValue: 1 << 3)
  /// Requests, by `AutoMobileNetwork`: those of registered sessions, and those that the app hands in.
  public static let network = AutoMobileSubsystems(rawValue: 1 << 4)
  /// Screens of SwiftUI, by `SwiftUINavigationAdapter`.
  public static let navigation = AutoMobileSubsystems(rawValue: 1 << 5)
  /// Screens of UIKit, without a call by the app.
  public static let screens = AutoMobileSubsystems(rawValue: 1 << 6)
  /// Taps and gestures. Off unless the app wants them.
  public static let interaction = AutoMobileSubsystems(rawValue: 1 << 7)
  /// How often SwiftUI asks views for their bodies. Off unless the app wants it.
  public static let viewBodies = AutoMobileSubsystems(rawValue: 1 << 8)
  /// The app's and the device's state: foreground, battery, brightness, network.
  public static let osEvents = AutoMobileSubsystems(rawValue: 1 << 9)
  /// Notifications of the system's: locale, time zone, power state, memory warning, screenshot.
  public static let systemNotifications = AutoMobileSubsystems(rawValue: 1 << 10)
  /// User defaults, for looking at and changing them from outside. Off unless the app wants it.
  public static let userDefaults = AutoMobileSubsystems(rawValue: 1 << 11)
  /// SQLite databases, for looking at them from outside. Off unless the app wants it.
  public static let databases = AutoMobileSubsystems(rawValue: 1 << 12)
  /// Slow and frozen frames.
  public static let frames = AutoMobileSubsystems(rawValue: 1 << 13)
  /// How long the launch took.
  public static let launchTime = AutoMobileSubsystems(rawValue: 1 << 14)
  /// Diagnostics that the system has collected (MetricKit).
  public static let metricKit = AutoMobileSubsystems(rawValue: 1 << 15)
  /// `Application Installed`, `Updated`, `Opened` and `Backgrounded`.
  public static let lifecycleEvents = AutoMobileSubsystems(rawValue: 1 << 16)

  /// Everything that there is.
  public static let all = AutoMobileSubsystems(rawValue: 0x1_FFFF)
  /// What is on after initialization unless the configuration says otherwise: all but ``interaction``, ``viewBodies``,
  /// ``userDefaults`` and ``databases``.
  public static let standard = all.subtracting([.interaction, .viewBodies, .userDefaults, .databases])
}
