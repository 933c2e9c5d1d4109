import AutoMobileSDK
import Foundation

/// Counts what the SDK records by itself, as the app counts its own calls: the ledger has both.
final class AutomaticEvents: Sendable {
  private let observation: BatchObservation
  private let hang: Seen

  /// - Parameter recording: with a counter that nobody else uses.
  init(_ recording: Recording) {
    let hang = Seen()
    self.hang = hang
    observation = AutoMobileSDK.shared.observeBatches { events in
      for event in events {
        switch event {
        case is SdkHangEvent: hang.note()
        case is SdkCrashEvent: break
        case let event as SdkLifecycleEvent where event.state == "previous_launch_ended": break
        default: continue
        }
        recording.witness?.returned(recording.counter)
      }
    }
  }

  /// Whether a hang of this launch has been recorded.
  var hasSeenHang: Bool { hang.isNoted }
}

/// Something that has happened, or not yet.
///
/// `@unchecked Sendable`: the flag has a lock.
private final class Seen: @unchecked Sendable {
  private let lock = NSLock()
  private var flag = false

  func note() { lock.withLock { flag = true } }
  var isNoted: Bool { lock.withLock { flag } }
}
