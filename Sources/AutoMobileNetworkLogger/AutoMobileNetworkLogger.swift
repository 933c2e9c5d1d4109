import AutoMobileHTTP
import AutoMobileNetworkLog
import AutoMobileSDK
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
  private let interception: NetworkInterception

  init(interception: NetworkInterception = .shared) { self.interception = interception }

  /// Begins to record, if it may: `URLSession.shared`, and on Apple platforms every session that is made from now on. Call it
  /// before the first request; a second call does nothing.
  ///
  /// Reads and makes a few small files.
  public func start(_ configuration: NetworkLoggerConfiguration) {
    let recorder = lock.withLock { () -> NetworkLogRecorder? in
      guard case .notStarted = state else { return nil }
      state = Self.open(configuration)
      if case .recording(let recorder) = state { return recorder }
      return nil
    }
    guard let recorder else { return }
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
  private static func open(_ configuration: NetworkLoggerConfiguration) -> State {
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
      let writer = try NetworkLogWriter(directory, owner: owner, options: configuration.options)
      return .recording(NetworkLogRecorder(writer, configuration))
    } catch {
      return .off(.failed(String(describing: error)))
    }
  }
}
