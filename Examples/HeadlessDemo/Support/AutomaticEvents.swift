import AutoMobileSDK
import Foundation

/// Counts what the SDK records by itself, as the app counts its own calls: the ledger has both.
final class AutomaticEvents: Sendable {
  private let observation: BatchObservation
  private let hang: Tally
  private let requests: Tally

  /// - Parameter recording: with a counter that nobody else uses.
  init(_ recording: Recording) {
    let (hang, requests) = (Tally(), Tally())
    self.hang = hang
    self.requests = requests
    observation = AutoMobileSDK.shared.observeBatches { events in
      for event in events {
        switch event {
        case is SdkHangEvent: hang.add()
        case is SdkNetworkRequestEvent: requests.add()
        case is SdkCrashEvent: break
        case let event as SdkLifecycleEvent where event.state == "previous_launch_ended": break
        default: continue
        }
        recording.witness?.returned(recording.counter)
      }
    }
  }

  /// Whether a hang of this launch has been recorded.
  var hasSeenHang: Bool { hang.count > 0 }

  /// Waits until so many requests of this launch have been recorded, at most five seconds: an app's request ends a moment
  /// before its record is there, and whoever counts has to have seen both.
  func waitForRequests(_ count: Int) async {
    for _ in 0..<500 where requests.count < count { try? await Task.sleep(nanoseconds: 10_000_000) }
  }
}

/// How often something has happened.
///
/// `@unchecked Sendable`: the count has a lock.
private final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var total = 0

  func add() { lock.withLock { total += 1 } }
  var count: Int { lock.withLock { total } }
}
