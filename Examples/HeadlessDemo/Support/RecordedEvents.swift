import AutoMobileSDK
import Foundation

/// Counts what the SDK has recorded, as the app sees it go by: all but the stock's entries, which those count who make them.
final class RecordedEvents: Sendable {
  private struct Behind: Error {}

  private let observation: BatchObservation
  private let all = Tally()
  private let hangs = Tally()

  init(_ witness: Witness?) {
    observation = AutoMobileSDK.shared.observeBatches { [all, hangs] events in
      for event in events {
        if event is SdkHangEvent { hangs.add() }
        if let entry = event as? SdkLogEvent, entry.tag == Stock.tag { continue }
        all.add()
        // Batches are told one after the other.
        witness?.returned(Witness.counters - 1)
      }
    }
  }

  /// Whether a hang of this launch has been recorded.
  var hasSeenHang: Bool { hangs.count > 0 }

  /// Waits until a hang of this launch has been recorded, at most 3 s.
  func waitForHang() async throws {
    for _ in 0..<60 where !hasSeenHang { try await Task.sleep(nanoseconds: 50_000_000) }
  }

  /// Waits until everything that was recorded has been counted.
  func settle() async throws {
    for _ in 0..<1000 {
      let diagnostics = AutoMobileSDK.shared.diagnostics
      let kept = diagnostics.recorded - diagnostics.dropped.values.reduce(0, +)
      if all.count == kept { return }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    throw Behind()
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
