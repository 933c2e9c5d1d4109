import AutoMobileCrashReporting
import AutoMobileSDK
import AutoMobileSupport
import Foundation
import Testing

@testable import AutoMobileJournal
@testable import AutoMobileRecorder

/// An SDK of a test's own, in a directory of its own, that delivers nowhere and has timers which the test fires.
final class SdkHarness: Sendable {
  let directory: TemporaryDirectory
  let sdk: AutoMobileSDK
  let timers = Locked<[FakeTimer]>([])
  let center = NotificationCenter()
  let configuration: AutoMobileConfiguration
  let bundleId: String

  /// - Parameter directory: one that an earlier launch has used, or nil.
  init(
    bundleId: String = "com.example.test", directory: TemporaryDirectory? = nil, initialized: Bool = true,
    realTimers: Bool = false, hasControlChannel: Bool = false,
    subsystems: [SdkEnvironment.Subsystem] = [],
    configure: (inout AutoMobileConfiguration) -> Void = { _ in },
    environment configureEnvironment: (inout SdkEnvironment) -> Void = { _ in }
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    self.bundleId = bundleId
    var configuration = AutoMobileConfiguration(storage: .directory(directory.url))
    configure(&configuration)
    self.configuration = configuration
    var environment = SdkEnvironment()
    environment.defaultEndpoint = nil
    environment.appVersion = "1.2.3"
    environment.device = SdkDeviceInfo(model: "Test1,1", osVersion: "1.0", systemName: "TestOS")
    environment.addLaunchHistory(makeProbe: nil)
    environment.subsystems = subsystems
    environment.hasControlChannel = hasControlChannel
    // This process plays several launches, one after the other.
    environment.isSingleInstance = false
    let center = center
    environment.notificationCenter = { center }
    let timers = timers
    if !realTimers {
      environment.makeTimer = {
        let timer = FakeTimer()
        timers.withLock { $0.append(timer) }
        return timer
      }
    }
    configureEnvironment(&environment)
    let fixed = environment
    sdk = AutoMobileSDK { fixed }
    if initialized { initialize() }
  }

  deinit { sdk.reset() }

  func initialize() { sdk.initialize(bundleId: bundleId, configuration: configuration) }

  /// Plays a whole launch in a directory, and returns when nothing of it is left in this process: until then the next
  /// launch takes it for one that is still running.
  static func launch(
    in directory: TemporaryDirectory, bundleId: String = "com.example.test", initialized: Bool = true,
    configure: (inout AutoMobileConfiguration) -> Void = { _ in }, _ body: (SdkHarness) throws -> Void
  ) async throws {
    let launch: LaunchID
    do {
      let harness = try SdkHarness(
        bundleId: bundleId, directory: directory, initialized: initialized, configure: configure)
      try body(harness)
      launch = try #require(harness.sdk.runtime).journal.launch
    }
    try await waitUntilGone(launch)
  }

  /// Returns when nothing of a launch is left in this process.
  static func waitUntilGone(_ launch: LaunchID) async throws {
    let identity = FileIdentity(role: .ledger, launch: launch, segmentSize: 0, created: 0, owner: 0)
    try #require(await eventually { !LiveLaunches.here.isAlive(identity, singleInstanceOwner: nil) })
  }

  /// Events of which the SDK knows that they have arrived. A receiver knows it earlier: what it has taken is sent again when the
  /// SDK is switched off before it hears the answer.
  var acknowledged: UInt64 { sdk.diagnostics.delivery?.eventsDelivered ?? 0 }

  func fireTimers() { timers.withLock { $0 }.forEach { $0.fire() } }
}
