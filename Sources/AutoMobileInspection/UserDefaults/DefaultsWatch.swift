import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// Follows suites, and tells each change of a value once: which one, what it was and what it is now.
///
/// `UserDefaults` says that something has changed, and not what. So all that is followed is read again, on a queue, and
/// compared with what was there before; several changes at a time are read once.
final class DefaultsWatch: @unchecked Sendable {
  // Unchecked: `state` is used on `queue` only; `isDue` is behind a lock.

  /// A change, with its number: they count up by one over all suites.
  struct Change: Sendable {
    var suite: String?
    var key: String
    var kind: String
    var oldText: String?
    var newText: String?
    var type: KeyValueType
    var number: Int64
  }

  /// What is to be followed, and who hears of it.
  struct Wish: Sendable {
    var suites: Set<String?>
    var driver: any UserDefaultsDriver
    var onChange: @Sendable (Change) -> Void
  }

  private struct State {
    /// By suite; the standard one has no name.
    var snapshots: [String?: DefaultsSnapshot] = [:]
    var lastNumber: Int64 = 0
    var wish: Wish?
  }

  /// Suites that are followed at one time.
  static let maximumSuites = 64

  let queue = BackgroundQueue.make("defaults")
  private var state = State()
  private let isDue = Locked(false)

  /// Follows what is wished for, from what it holds now on, and nothing else. Returns at once.
  ///
  /// - Parameter wish: asked on the queue: of two callers at a time, the one who asked first could come last, and would have
  ///   an older wish followed than the newest.
  func follow(_ wish: @escaping @Sendable () -> Wish?) {
    queue.async { [self] in
      let wish = wish()
      // What has changed up to now belongs to those who followed it; but off is off.
      if wish != nil { look() }
      state.wish = wish
      let wanted = (wish?.suites ?? []).ordered { ($0 ?? "") < ($1 ?? "") }.prefix(Self.maximumSuites)
      var snapshots: [String?: DefaultsSnapshot] = [:]
      if let driver = wish?.driver {
        for suite in wanted { snapshots[suite] = state.snapshots[suite] ?? read(suite, driver) }
      }
      state.snapshots = snapshots
    }
  }

  /// Something has changed somewhere. Any thread; costs next to nothing.
  func noteChange() {
    let isFirst = isDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    queue.async { [self] in
      // Before looking: what changes from now on is looked at again.
      isDue.withLock { $0 = false }
      look()
    }
  }

  private func look() {
    guard let wish = state.wish else { return }
    for suite in state.snapshots.keys.ordered(by: { ($0 ?? "") < ($1 ?? "") }) {
      guard let before = state.snapshots[suite] else { continue }
      let now = read(suite, wish.driver)
      state.snapshots[suite] = now
      for change in before.changes(to: now) {
        state.lastNumber = state.lastNumber.addingReportingOverflow(1).partialValue
        wish.onChange(
          Change(
            suite: suite, key: change.key, kind: change.event, oldText: change.old?.text, newText: change.new?.text,
            type: change.new?.type ?? change.old?.type ?? .unknown, number: state.lastNumber))
      }
    }
  }

  private func read(_ suite: String?, _ driver: any UserDefaultsDriver) -> DefaultsSnapshot {
    DefaultsSnapshot(ErrorBarrier.run(.userDefaultsDriver, or: []) { driver.ownValues(of: suite) })
  }
}

extension UserDefaultsDriver {
  /// Without what the system keeps.
  func ownValues(of suite: String?) -> [KeyValuePair] {
    (self as? StoredDefaultsDriver)?.ownValues(suiteName: suite)
      ?? getValues(suiteName: suite).filter { SystemKeys.isOfApp($0.key) }
  }
}
