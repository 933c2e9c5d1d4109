import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileRecorder
import AutoMobileRequests
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The app's side of the network log: records requests on the device, for testers to look at, when the companion app has
/// switched it on.
///
///     let directory = NetworkLogDirectory(appGroup: "group.com.example")
///     var configuration = NetworkLoggerConfiguration(directory)
///     configuration.isProduction = false  // for example: the build's configuration, or a TestFlight receipt
///     AutoMobileNetworkLogger.shared.start(configuration)
///
/// Nothing is uploaded. Off, it costs one look at a small file; and no file is made. It never fails loudly: ``status`` says
/// what it does, and why not. Needs no other part of the SDK to be started. Any thread.
///
/// Sendable: the state is used under the lock only.
public final class AutoMobileNetworkLogger: @unchecked Sendable {
  public static let shared = AutoMobileNetworkLogger()

  private enum State {
    case notStarted
    case off(NetworkLoggerStatus.Reason)
    case recording(NetworkLogRecorder)
  }

  private let lock = NSLock()
  private var state = State.notStarted
  /// Where the log lies, whether it is written or not: what there is can be erased either way.
  private var directory: NetworkLogDirectory?
  /// It hears of erasures.
  private var isFollowing = false
  private let interception: NetworkInterception
  private let sdk: AutoMobileSDK

  init(interception: NetworkInterception = .shared, sdk: AutoMobileSDK = .shared) {
    self.interception = interception
    self.sdk = sdk
  }

  /// Begins to record, if it may: `URLSession.shared`, and on Apple platforms every session that is made from now on. Call it
  /// before the first request; a second call does nothing.
  ///
  /// Reads and makes a few small files.
  public func start(_ configuration: NetworkLoggerConfiguration) {
    let sdk = sdk
    let (recorder, isFirst) = lock.withLock { () -> (NetworkLogRecorder?, Bool) in
      guard case .notStarted = state else { return (nil, false) }
      let isFirst = !isFollowing && configuration.directory != nil
      if isFirst { isFollowing = true }
      directory = configuration.directory ?? directory
      state = Self.open(configuration, mayKeep: sdk.isObserving && sdk.consent != .denied) { sdk.isObserving }
      if case .recording(let recorder) = state { return (recorder, isFirst) }
      return (nil, isFirst)
    }
    if isFirst { followConsent() }
    // Also when it has been stopped meanwhile.
    if sdk.consent == .denied { erase(isDenied: true) }
    guard let recorder else { return }
    // Somebody has said so already, and nobody has taken it back.
    if configuration.directory?.isDenied == true { recorder.consent?.note(true) }
    interception.add(recorder)
    interception.activate(for: self)
  }

  /// Ends recording. What has been recorded stays. Sessions stay covered for as long as anybody else wants to know of them.
  public func stop() {
    let before = lock.withLock {
      defer { state = .notStarted }
      return state
    }
    guard case .recording(let recorder) = before else { return }
    interception.remove(recorder)
    interception.deactivate(for: self)
    recorder.writer.close()
  }

  /// Has the sessions covered that are made with this configuration from now on; needed where not every session is, on Linux.
  /// Without effect while the log is off.
  public func register(in configuration: URLSessionConfiguration) {
    if case .recording = lock.withLock({ state }) { interception.register(in: configuration) }
  }

  /// Erases when the SDK does, also what is there while nothing is written.
  private func followConsent() {
    let sdk = sdk
    sdk.erasers.add { [weak self] done in
      self?.erase(isDenied: sdk.consent == .denied)
      done()
    } onPermission: { [weak self] in
      self?.note(isDenied: false)
    }
    if sdk.isInitialized, sdk.consent != .denied { note(isDenied: false) }
  }

  private func erase(isDenied: Bool) {
    note(isDenied: isDenied)
    if let recorder { recorder.writer.erase(thenKeep: !isDenied) }
    lock.withLock { directory }?.erase(withRecords: recorder == nil)
  }

  private func note(isDenied: Bool) {
    lock.withLock { directory }?.setDenied(isDenied)
    recorder?.consent?.note(isDenied)
  }

  private var recorder: NetworkLogRecorder? {
    if case .recording(let recorder) = lock.withLock({ state }) { recorder } else { nil }
  }

  /// What it does, and why not.
  public var status: NetworkLoggerStatus {
    switch lock.withLock({ state }) {
    case .notStarted: return .notStarted
    case .off(let reason): return .off(reason)
    case .recording(let recorder):
      let counts = recorder.writer.counts
      return .recording(recorded: counts.recorded, lost: counts.lost, failure: recorder.writer.failure)
    }
  }

  /// Nothing is made before everything has said yes.
  ///
  /// - Parameter mayKeep: false while the SDK is off: then no file is made before there is something to record.
  private static func open(
    _ configuration: NetworkLoggerConfiguration, mayKeep: Bool, isEnabled: @escaping @Sendable () -> Bool
  ) -> State {
    if configuration.isProduction { return .off(.production) }
    if configuration.isAutomation { return .off(.automation) }
    guard let directory = configuration.directory else { return .off(.noDirectory) }
    switch NetworkLogSwitch(directory).state() {
    case .off: return .off(.switchedOff)
    case .damaged(let what): return .off(.damagedSwitch(what))
    case .on: break
    }
    do {
      let owner = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      let writer = try NetworkLogWriter(directory, owner: owner, options: configuration.options, isKept: mayKeep)
      return .recording(NetworkLogRecorder(writer, configuration, isAllowed: isEnabled))
    } catch {
      return .off(.failed(String(describing: error)))
    }
  }
}
