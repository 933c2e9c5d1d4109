import AutoMobileSDK
import Foundation

/// Everything that the app asks of AutoMobile, in one place.
enum Recorder {
  static let bundleId = "com.example.coffeeshop"
  static let version = "2.4.0"
  /// Where settings are kept.
  static let suite = "com.example.coffeeshop.settings"

  /// - Parameter documents: where the app's database is.
  static func start(_ arguments: Arguments, documents: URL) {
    // It will die of a signal: the launch after it tells of that, with the stacks of all threads.
    AutoMobileCrashes.shared.enableSignalHandlers([.standard, .trap])
    // Asked more often than usual, so that the hang to come is measured to a tenth of a second.
    AutoMobileHangs.shared.pollIntervalMs = 100
    DatabaseInspector.shared.setDriver(SQLiteDatabaseDriver(searchPaths: [documents.path]))
    var configuration = AutoMobileConfiguration(
      endpoint: arguments.endpoint, apiKey: arguments.key, storage: .directory(arguments.directory), subsystems: .all)
    if arguments.keeps { configuration.upload = .whenTriggered(.story(pace: arguments.pace)) }
    AutoMobileSDK.shared.initialize(bundleId: bundleId, configuration: configuration)
    AutoMobileSDK.shared.sdkContext?.appVersion = version
    AutoMobileSDK.shared.setTag("shop", value: "Harbour 12")
    UserDefaultsInspector.shared.startListening(suiteName: suite)
    AutoMobileLog.shared.addFilter(name: "app", minLevel: .debug)

    let network = AutoMobileNetwork.shared
    network.setCaptureHeaders(true)
    network.setCaptureBodies(true)
    network.setTracerHeader("X-Conversation-Id")
    network.startInterception()
  }

  static func screen(_ name: String, _ arguments: [String: String] = [:], by source: NavigationSource = .custom) {
    AutoMobileSDK.shared.notifyNavigationEvent(
      NavigationEvent(destination: name, source: source, arguments: arguments))
  }

  static func tap(_ text: String, _ type: String = "Button", x: Double = 187.5, y: Double) {
    AutoMobileInteractionTracker.shared.recordTap(x: x, y: y, viewType: type, text: text)
  }
}
