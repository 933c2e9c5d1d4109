import AutoMobileNetworkLog
import AutoMobileNetworkLogger
import AutoMobileReplay
import AutoMobileSDK
import Foundation
import UserNotifications

/// Everything that the app asks of AutoMobile, in one place. Call it first thing, before the first request.
public enum FlightRecorder {
  /// The companion app shows the network log that lies in here. Both apps need it among their capabilities.
  public static let appGroup = "group.com.example.coffeeshop"

  /// Where the network log is shared: in the container of both apps, when there is one.
  public static var sharedDirectory: NetworkLogDirectory? {
    #if canImport(Darwin)
    NetworkLogDirectory(appGroup: appGroup)
    #else
    nil
    #endif
  }

  /// - Parameter directory: where the network log is shared with the companion.
  public static func start(
    _ configuration: AutoMobileConfiguration = .default, sharing directory: NetworkLogDirectory? = nil
  ) {
    // The next launch tells of crashes, with the stacks of all threads.
    AutoMobileCrashes.shared.enableSignalHandlers([.standard, .trap])
    // Taps, view bodies, preferences and databases are off unless asked for.
    var configuration = configuration
    configuration.subsystems.formUnion([.interaction, .viewBodies, .userDefaults, .databases])
    AutoMobileSDK.shared.initialize(bundleId: "com.example.coffeeshop", configuration: configuration)
    AutoMobileSDK.shared.setTag("shop", value: "Harbour 12")

    // Settings are kept where the companion app could see them; without this, the standard suite is followed.
    UserDefaultsInspector.shared.startListening(suiteName: appGroup)

    // Log entries are recorded when a filter asks for them.
    AutoMobileLog.shared.addFilter(name: "app", minLevel: .debug)

    // All requests of the app, with headers, and with bodies in debug builds.
    let network = AutoMobileNetwork.shared
    network.setCaptureHeaders(true)
    network.setCaptureBodies(true)
    network.setTracerHeader("X-Conversation-Id")
    network.startInterception()

    // What people choose on a notification.
    AutoMobileNotifications.shared.installActionHandler()

    // What the screen looked like, for whoever has the project's key.
    if let key = configuration.apiKey {
      Replay.configure(publicKey: key)
      Replay.start { result in
        if !result.success { AutoMobileLog.shared.w("replay", "nothing is recorded: \(result.error ?? "")") }
      }
    }

    // The log on the device, for testers: recorded when the companion has switched it on.
    var logger = NetworkLoggerConfiguration(directory)
    logger.isProduction = !isDebugBuild
    AutoMobileNetworkLogger.shared.start(logger)
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }
}
