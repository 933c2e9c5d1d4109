import AutoMobileJournal
import AutoMobileSupport

/// Whether a session is recorded, by its id alone: the same in every process, and a session that is recorded at some
/// rate is recorded at every higher one.
package enum SessionSampling {
  /// - Parameter rate: from 0 (none) to 1 (all).
  package static func isSampled(_ id: String, rate: Double) -> Bool {
    if rate >= 1 { return true }
    guard rate > 0 else { return false }
    return fraction(of: id) < rate
  }

  /// Even over [0, 1): its hash, mixed, its upper 53 bits.
  static func fraction(of id: String) -> Double {
    var hash = FNV1a(id).value
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Double(hash >> 11) / Double(1 << 53)
  }
}

/// Brings session and rate together, and tells the recorder.
///
/// Outside a session the launch stands for it.
final class SessionSampler: Sendable {
  private struct State {
    var session: String?
    var rate = 1.0
  }

  private let state = Locked(State())
  private let launch: String
  private let recorder: EventRecorder

  init(launch: String, recorder: EventRecorder) {
    self.launch = launch
    self.recorder = recorder
  }

  var rate: Double { state.withLock { $0.rate } }

  func setSession(_ id: String?) { change { $0.session = id } }

  func setRate(_ rate: Double) { change { $0.rate = rate } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      // Under the lock, so that of two changes the later one has its way. It sets a flag.
      recorder.isSampledOut = !SessionSampling.isSampled(state.session ?? launch, rate: state.rate)
    }
  }
}
