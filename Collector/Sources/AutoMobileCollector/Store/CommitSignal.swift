import NIOConcurrencyHelpers

/// Wakes the live tail's listeners when the index has grown. A listener that is slow misses nothing: wake-ups merge, and
/// it reads from where it was.
final class CommitSignal: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var next = 0
    var isFinished = false
    var hook: (@Sendable () -> Void)?
  }

  private let state = NIOLockedValueBox(State())

  /// The listeners at this moment.
  var count: Int { state.withLockedValue { $0.listeners.count } }

  /// A new listener's stream; nil when there are `limit` already, or it is over.
  func listen(limit: Int) -> AsyncStream<Void>? {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id: Int? = state.withLockedValue { state in
      guard state.listeners.count < limit, !state.isFinished else { return nil }
      state.next += 1
      state.listeners[state.next] = continuation
      return state.next
    }
    guard let id else { return nil }
    continuation.onTermination = { [self] _ in state.withLockedValue { _ = $0.listeners.removeValue(forKey: id) } }
    return stream
  }

  /// Ends all streams, for good.
  func finish() {
    let listeners = state.withLockedValue { state in
      state.isFinished = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  /// Beside the listeners, for the collector's own work: called on the indexer's thread, so it must return at once.
  func onAdvance(_ body: @escaping @Sendable () -> Void) { state.withLockedValue { $0.hook = body } }

  func advance() {
    let (listeners, hook) = state.withLockedValue { (Array($0.listeners.values), $0.hook) }
    hook?()
    for listener in listeners { listener.yield() }
  }
}
