import NIOConcurrencyHelpers

/// What a lane waits for: news, a time, its end.
final class ForwardBell: Sendable {
  private struct State {
    var hasNews = false
    var hasEnded = false
    var isListening = false
    var sleeper: Task<Void, Never>?
  }

  private let state = NIOLockedValueBox(State())

  var hasEnded: Bool { state.withLockedValue { $0.hasEnded } }

  func ring() {
    let sleeper = state.withLockedValue { state in
      state.hasNews = true
      return state.isListening ? state.sleeper : nil
    }
    sleeper?.cancel()
  }

  func end() {
    let sleeper = state.withLockedValue { state in
      state.hasEnded = true
      return state.sleeper
    }
    sleeper?.cancel()
  }

  /// Until it rings, or has rung since this returned last; and until the end.
  func wait() async { await sleep(nil, listens: true) }

  /// For so many seconds, or for ever; whatever rings. Until the end.
  func rest(_ seconds: Double?) async { await sleep(seconds, listens: false) }

  private func sleep(_ seconds: Double?, listens: Bool) async {
    let sleeper = Task {
      repeat { try? await Task.sleep(for: .seconds(seconds ?? 3600)) } while seconds == nil && !Task.isCancelled
    }
    let isNeeded = state.withLockedValue { state in
      defer { if listens { state.hasNews = false } }
      guard !state.hasEnded, !(listens && state.hasNews) else { return false }
      (state.sleeper, state.isListening) = (sleeper, listens)
      return true
    }
    if !isNeeded { sleeper.cancel() }
    await withTaskCancellationHandler {
      await sleeper.value
    } onCancel: {
      sleeper.cancel()
    }
    state.withLockedValue { state in
      (state.sleeper, state.isListening) = (nil, false)
      if listens { state.hasNews = false }
    }
  }
}
