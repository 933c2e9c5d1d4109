import AutoMobileJournal
import Foundation

/// Everything that the SDK takes from the world around it, so that a test can put something else there.
package struct SdkEnvironment: Sendable {
  /// Where AutoMobile's own SDK, in an earlier version of the app, has kept what it did not deliver; nil: nowhere.
  var predecessorDirectory: (@Sendable () -> URL?)?
  /// When a delivery that failed is tried again.
  var retryPolicy = RetryPolicy()
  /// Used when the configuration names no endpoint.
  var defaultEndpoint: URL? = DefaultEndpoint.forThisBuild
  var bundleId: String?
  var appVersion: String?
  /// The name under which recordings are kept when there is no bundle id.
  var processName: @Sendable () -> String = { "process" }
  var device = SdkDeviceInfo.current
  /// No second process of this app can run beside this one, so what an earlier launch left is this launch's to deliver.
  var isSingleInstance = false
  var notificationCenter: @Sendable () -> NotificationCenter = { .default }
  var makeTimer: @Sendable () -> any TimerScheduling = { GCDTimer() }
  var makeSessionId: @Sendable () -> String = { UUID().uuidString }
  /// The session that begins with a launch has the launch's name: as random as another, and a body that names both says it once.
  var makeLaunchSessionId: @Sendable (LaunchID) -> String = { $0.description }
  /// The process's environment variables.
  var variables: [String: String] = [:]
  package var subsystems: [Subsystem] = []
  /// Whether what the app names is added; what a test has put together stays as it is.
  package var takesIntegrations = false
  /// Whether a collector may tell the SDK something.
  var hasControlChannel = false
  /// Whether this is a debug build of the SDK, which takes commands.
  var isDebugBuild = DefaultEndpoint.isDebugBuild
  /// Stay off when the launches before died in the SDK's own start.
  var guardsAgainstCrashLoops = false
  /// The files that modules leave beside the journal's.
  package var files: [LeftFile] = []
  /// Who tells how earlier launches ended; nil: nobody.
  package var makePostMortem: (@Sendable (PostMortemHost) -> any PostMortem)?

  /// Where small texts are kept over launches; nil: nowhere, and so there are neither identity nor lifecycle events.
  var makeStore: (@Sendable () -> any KeyValueStore)?
  /// Removes what modules on top keep where no file is; nil: there is no such place.
  var forgetCredentials: (@Sendable () -> Void)?
  /// `CFBundleVersion`.
  var appBuild: String?
  /// Who tells of the application's life; nil: nobody, as in an extension.
  var makeLifecycle: (@Sendable () -> any ApplicationLifecycle)?

  /// The process as it is.
  ///
  /// - Parameter broadcaster: knows whether the app has named another place for CtrlProxy.
  static func live(broadcaster: SdkEventBroadcaster = .shared) -> SdkEnvironment {
    var environment = SdkEnvironment(defaultEndpoint: broadcaster.ctrlProxyUrl)
    #if canImport(Darwin)
    // Elsewhere programs are no bundles, and looking for one reads directories.
    environment.bundleId = Bundle.main.bundleIdentifier
    environment.appVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
    environment.appBuild = Bundle.main.object(forInfoDictionaryKey: "CFBundleVersion") as? String
    environment.makeStore = { UserDefaultsStore() }
    #elseif canImport(UIKit)
    StandInApp.describe(&environment)
    #endif
    #if targetEnvironment(simulator)
    // A place that the app has named needs no search for the simulator's own receiver.
    if environment.defaultEndpoint == DefaultEndpoint.forThisBuild {
      environment.variables = ProcessInfo.processInfo.environment
    }
    #endif
    #if canImport(Security)
    environment.forgetCredentials = { KeychainItem.replayCredential.remove() }
    #endif
    environment.retryPolicy = broadcaster.retryPolicy
    environment.predecessorDirectory = { StorageLocation.caches.resolved() }
    environment.hasControlChannel = true
    environment.takesIntegrations = true
    environment.guardsAgainstCrashLoops = true
    environment.processName = { ProcessInfo.processInfo.processName }
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    // An app runs once; its extensions are processes beside it.
    environment.isSingleInstance = ProgramKind.current == .application
    #endif
    // Others have nobody who would tell them, and would wait for it.
    if ProgramKind.current == .application {
      #if canImport(UIKit) && !os(watchOS)
      environment.makeLifecycle = { UIKitLifecycle() }
      #elseif canImport(AppKit)
      environment.makeLifecycle = { AppKitLifecycle() }
      #endif
    }
    return environment
  }
}
