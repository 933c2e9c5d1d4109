import AutoMobileSupport

/// What the app says before there is an SDK to say it to: kept in memory, and said to the first one, in its order.
///
/// | | kept, in all of the process | what is over |
/// |---|---|---|
/// | events, breadcrumbs | ``mostRecorded``, with ``mostBytes`` of text | events are counted as `notInitialized` |
/// | user, tags, addresses that opened the app | ``mostOthers`` | ``AutoMobileDiagnostics/lastError`` says so |
///
/// What is kept is what would be recorded: while the app has the SDK switched off, events are counted as `disabled`. Once
/// there is a recorder, the counts are credited to the launch's ledger, so that its numbers hold all calls of the process.
final class EarlyCalls: Sendable {
  typealias Call = @Sendable (AutoMobileSDK, SdkRuntime) -> Void

  enum Outcome {
    case kept
    /// There is no room.
    case lost
    /// There is a runtime, or there never will be one: ask again.
    case closed
  }

  /// What has been counted of events.
  struct Counts: Sendable {
    /// Still to be recorded.
    var waiting: UInt64 = 0
    var notInitialized: UInt64 = 0
    var disabled: UInt64 = 0
    var all: UInt64 { waiting &+ notInitialized &+ disabled }
  }

  static let mostRecorded = 256
  static let mostOthers = 256
  /// UTF-8 bytes, of events as JSON.
  static let mostBytes = 128 << 10

  private struct State {
    var calls: [Call] = []
    var counts = Counts()
    // What was ever taken, so that whoever says it all to a runtime comes to an end.
    var recorded = 0
    var others = 0
    var bytes = 0
    var isClosed = false
  }
  private let state = Locked(State())

  var counts: Counts { state.withLock { $0.counts } }

  /// - Parameter size: in bytes; nil for what cannot be written at all.
  func keepEvent(size: Int?, _ call: @escaping Call) -> Outcome {
    state.withLock { state in
      if state.isClosed { return .closed }
      guard let size, Self.take(size, &state) else {
        state.counts.notInitialized &+= 1
        return .lost
      }
      state.counts.waiting &+= 1
      state.calls.append(call)
      return .kept
    }
  }

  func keepBreadcrumb(size: Int, _ call: @escaping Call) -> Outcome {
    state.withLock { state in
      if state.isClosed { return .closed }
      guard Self.take(size, &state) else { return .lost }
      state.calls.append(call)
      return .kept
    }
  }

  func keep(_ call: @escaping Call) -> Outcome {
    state.withLock { state in
      if state.isClosed { return .closed }
      guard state.others < Self.mostOthers else { return .lost }
      state.others += 1
      state.calls.append(call)
      return .kept
    }
  }

  private static func take(_ size: Int, _ state: inout State) -> Bool {
    guard state.recorded < mostRecorded, size <= mostBytes - state.bytes else { return false }
    state.recorded += 1
    state.bytes += size
    return true
  }

  /// An event that is not even to be kept.
  func count(_ reason: DropReason) {
    state.withLock { state in
      if reason == .disabled { state.counts.disabled &+= 1 } else { state.counts.notInitialized &+= 1 }
    }
  }

  /// Says it all, on this thread and without a lock.
  func tell(_ sdk: AutoMobileSDK, _ runtime: SdkRuntime) {
    let calls = state.withLock { state in
      defer {
        state.calls = []
        state.counts.waiting = 0
      }
      return state.calls
    }
    for call in calls { call(sdk, runtime) }
  }

  /// Takes nothing more; false when something came meanwhile that is to be told first.
  func close() -> Bool {
    state.withLock { state in
      guard state.calls.isEmpty else { return false }
      state.isClosed = true
      return true
    }
  }

  /// Nobody will ever hear of it.
  func giveUp() {
    let calls = state.withLock { state in
      defer {
        state.calls = []
        state.counts.notInitialized &+= state.counts.waiting
        state.counts.waiting = 0
        state.isClosed = true
      }
      return state.calls
    }
    withExtendedLifetime(calls) {}
  }

  /// Each event is credited once, whoever calls this and how often.
  func credit(_ recorder: EventRecorder) {
    let counts = state.withLock { state in
      defer { (state.counts.notInitialized, state.counts.disabled) = (0, 0) }
      return state.counts
    }
    if counts.notInitialized > 0 { recorder.journal.countLoss(.notInitialized, counts.notInitialized) }
    if counts.disabled > 0 { recorder.journal.countLoss(.disabled, counts.disabled) }
  }

  /// As in the beginning.
  func reset() {
    let before = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(before) {}
  }
}
