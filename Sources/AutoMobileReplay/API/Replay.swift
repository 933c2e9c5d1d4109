import AutoMobileRecorder
import Foundation

/// Records what the app looks like while it is used, and what happens in it, to be watched later.
///
///     AutoMobileSDK.shared.initialize(bundleId: "com.example.app", configuration: configuration)
///     Replay.configure(publicKey: "am_…")
///     let result = await Replay.start()
///     if !result.success { print(result.error ?? "") }
///
/// A replay is recorded from ``start()`` to ``stop()``. It pauses while the app is in the background; after a minute there it
/// ends, and another one begins when the app comes back, as after the ten minutes that one lasts at most. When the SDK is switched off, by the app or by the collector, it ends and
/// nothing is uploaded; whoever switches it on again starts it again. Whatever ends the process, the next launch uploads what was recorded.
///
/// Every call may come from any thread; none throws, and none waits for I/O. What the app does (screens, taps, requests, logs,
/// its own events) is recorded by `AutoMobileSDK`, whose events carry the replay's id; so the SDK has to be initialized.
public enum Replay {
  static let recorder = ReplayRecorder()

  // MARK: Life

  /// Says where to record to, and how. May be called again: what was said last holds for the next ``start()`` from rest.
  ///
  /// What earlier launches left is uploaded from here on, also when this launch never starts a replay: so call it in every launch.
  ///
  /// - Parameters:
  ///   - publicKey: the project's, which may be known to everybody.
  ///   - options: what is recorded, how often and how well.
  public static func configure(publicKey: String, options: ReplayOptions = ReplayOptions()) {
    recorder.configure(publicKey: publicKey, options: options)
  }

  /// Begins to record. Asks the collector first whether it wants to: that takes up to some seconds, and in the background until
  /// the app is in the foreground. While it is being recorded, says what is.
  ///
  /// When it fails, it leaves nothing behind: the app runs as if it had not been called. But with `start_timeout` and `no_credential`
  /// for want of a network it goes on waiting for one until ``stop()``, and the replay begins by itself.
  public static func start() async -> ReplayStartResult { await recorder.start() }

  /// The same for callers without Swift concurrency.
  ///
  /// - Parameter completion: called once, on the main queue.
  public static func start(completion: @escaping @Sendable (ReplayStartResult) -> Void) {
    let recorder = recorder
    Task {
      let result = await recorder.start()
      DispatchQueue.main.async { ErrorBarrier.run(.replayCompletion) { completion(result) } }
    }
  }

  /// Ends the replay. Waits up to ten seconds for its rest to be uploaded; what takes longer is uploaded later.
  public static func stop() async -> ReplayStopResult { await recorder.stop() }

  /// The same for callers without Swift concurrency.
  ///
  /// - Parameter completion: called once, on the main queue.
  public static func stop(completion: @escaping @Sendable (ReplayStopResult) -> Void) {
    let recorder = recorder
    Task {
      let result = await recorder.stop()
      DispatchQueue.main.async { ErrorBarrier.run(.replayCompletion) { completion(result) } }
    }
  }

  /// The replay that is recorded now; nil when none is.
  public static var sessionId: String? { recorder.sessionId }

  // MARK: What the app says

  /// The app's name for its user, as `AutoMobileSDK.setUserId(_:)` keeps it; nil: nobody.
  public static func identify(_ userId: String?) { recorder.identify(userId) }

  /// A screen was shown. Before a replay begins, the last 50 are kept for it, without repetitions.
  public static func trackScreen(_ name: String) { recorder.trackScreen(name) }

  /// Something of the app's own happened. Not recorded while no replay is.
  ///
  ///     Replay.logEvent("checkout_started", properties: ["plan": "pro", "items": [1, 2], "coupon": nil])
  public static func logEvent(_ name: String, properties: [String: MetadataValue] = [:]) {
    recorder.logEvent(name, properties)
  }
}
