import AutoMobileRecorder
import AutoMobileSupport

/// Counts how often the bodies of SwiftUI views are evaluated, and how long that takes.
///
///     struct ProductRow: View {
///       var body: some View {
///         HStack { … }.trackViewBody(id: "product row")
///       }
///     }
///
/// Off until it is switched on. Then the views that have changed are recorded each second as an
/// `SdkViewBodySnapshotEvent`: those that were evaluated, and once more when they have come to rest. Of more than 512 ids,
/// the rest is counted as one, `(other views)`; ids and names are cut at 256 bytes of UTF-8.
///
/// Counting a view that is known costs less than 100 ns, and allocates nothing. Any thread.
public final class ViewBodyTracker: @unchecked Sendable {
  // Unchecked only because the documented declaration says so: all state is in `state` and `enabled`.
  public static let shared = ViewBodyTracker()

  private struct State {
    var counts = ViewBodyCounts()
    var buffer: SdkEventBuffer?
    var timer: BarredTimer?
  }

  private let state = Locked(State())
  /// 1 while enabled. Looked at before the lock is taken.
  private let enabled = AtomicWord()
  private let clock: @Sendable () -> Int

  /// In one event, so that each stays far below the size that an event may have.
  static let maximumViewsInEvent = 128
  static let intervalMs = 1000

  /// - Parameter clock: milliseconds that never go back.
  init(clock: @escaping @Sendable () -> Int = Clocks.approximateMilliseconds) { self.clock = clock }

  /// Where snapshots go from now on.
  package func initialize(buffer: SdkEventBuffer) {
    let before = state.withLock { state in
      defer { state.buffer = buffer }
      return state.buffer
    }
    withExtendedLifetime(before) {}
  }

  /// Back to the beginning: off, and nothing is counted.
  package func reset() {
    setEnabled(false)
    let before = state.withLock { state in
      let before = state
      state = State()
      return before
    }
    withExtendedLifetime(before) {}
  }

  /// Whether evaluations are counted.
  public var isEnabled: Bool { enabled.value == 1 }

  /// Begins to count, or counts no more. What has been counted stays. Tests bring the timer that tells when a second is over.
  public func setEnabled(_ enabled: Bool, timerFactory: (() -> any TimerScheduling)? = nil) {
    guard enabled else {
      replaceTimer(with: nil) { _ in true }
      return
    }
    // Made outside the lock, since it may be the app's.
    let timer = BarredTimer(timerFactory ?? { GCDTimer() })
    guard replaceTimer(with: timer, where: { $0 == nil || timerFactory != nil }) else { return }
    timer.schedule(intervalMs: Self.intervalMs) { [weak self, weak timer] in
      // A call that was on its way when the timer was cancelled finds another, or none.
      guard let self, let timer, state.withLock({ $0.timer === timer }) else { return }
      tell()
    }
    // Switched off by another thread meanwhile.
    if !state.withLock({ $0.timer === timer }) { timer.cancel() }
  }

  /// A body was evaluated.
  ///
  /// - Parameters:
  ///   - id: the same for all evaluations that are counted together.
  ///   - viewName: what people call it; the first one that is given stays.
  public func recordBodyEvaluation(id: String, viewName: String? = nil) {
    guard enabled.value == 1 else { return }
    let now = clock()
    state.withLock { $0.counts.noteEvaluation(id, name: viewName, at: now) }
  }

  /// An evaluation took so long, in milliseconds. It is not counted as one. What is negative or not a finite number is left out.
  public func recordDuration(id: String, durationMs: Double) {
    guard enabled.value == 1 else { return }
    state.withLock { $0.counts.noteDuration(id, durationMs) }
  }

  /// What has been counted since the SDK was initialized, in the order in which the views were first seen.
  public func getSnapshots() -> [ViewBodySnapshot] {
    let now = clock()
    return state.withLock { $0.counts }.snapshots(at: now)
  }

  /// A second is over.
  private func tell() {
    let now = clock()
    let (changes, buffer) = state.withLock { ($0.counts.takeChanges(at: now), $0.buffer) }
    guard let buffer else { return }
    for start in stride(from: 0, to: changes.count, by: Self.maximumViewsInEvent) {
      let part = changes[start..<min(start + Self.maximumViewsInEvent, changes.count)]
      buffer.record(SdkViewBodySnapshotEvent(snapshots: Array(part)))
    }
  }

  /// Puts the timer there, and says whether it did; the one before is cancelled.
  @discardableResult
  private func replaceTimer(with timer: BarredTimer?, where mayReplace: (BarredTimer?) -> Bool) -> Bool {
    let (isReplaced, before) = state.withLock { state in
      let before = state.timer
      guard mayReplace(before) else { return (false, nil as BarredTimer?) }
      state.timer = timer
      enabled.store(timer == nil ? 0 : 1)
      return (true, before)
    }
    before?.cancel()
    return isReplaced
  }
}
