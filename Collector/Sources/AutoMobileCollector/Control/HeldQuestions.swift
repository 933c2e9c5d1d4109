import Foundation
import NIOConcurrencyHelpers

/// Questions for news of apps that are in front of somebody: each is held until there is news for whoever asks, or its time is over.
///
/// For builds that take commands there is the ``CommandExchange``. A held question costs a connection, so there are not many; whoever
/// finds no place hears of news with its next delivery, or when it comes to the foreground.
final class HeldQuestions: Sendable {
  private struct Question: Sendable {
    var address: CommandExchange.Address
    var hasNews: @Sendable () -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var questions: [UInt64: Question] = [:]
    var last: UInt64 = 0
    var isStopped = false
  }

  /// The longest that one is held, in seconds: shorter than proxies, and this collector, keep a quiet connection.
  let longest: Double
  /// At one time, of all apps and of one.
  let most: Int
  var mostOfApp: Int { max(1, most * 3 / 4) }
  private let state = NIOLockedValueBox(State())

  init(_ limits: CollectorLimits) {
    longest = min(50, max(1, limits.idleSeconds - 10))
    most = max(1, limits.connections / 4)
  }

  /// How long a question would be held, in whole seconds, as apps are told; nil: there is no place.
  var offer: String? {
    state.withLockedValue { !$0.isStopped && $0.questions.count < most } ? String(Int(longest)) : nil
  }

  /// How many are held at this moment.
  var count: Int { state.withLockedValue { $0.questions.count } }

  /// Returns when there is news, the time is over, or there is no place.
  ///
  /// - Parameter hasNews: asked under the lock that ``wake()`` takes, so that no news falls between; and again whenever there may be.
  func hold(_ address: CommandExchange.Address, for seconds: Double, hasNews: @escaping @Sendable () -> Bool) async {
    var timer: Task<Void, Never>?
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let (id, replaced): (UInt64?, CheckedContinuation<Void, Never>?) = state.withLockedValue { state in
        // A question of this launch that is still held is of a connection that is gone.
        let old = state.questions.first { $0.value.address == address }
        if let old { state.questions[old.key] = nil }
        guard !state.isStopped, state.questions.count < most,
          state.questions.values.count(where: { $0.address.owner == address.owner }) < mostOfApp, !hasNews()
        else { return (nil, old?.value.continuation) }
        state.last &+= 1
        state.questions[state.last] = Question(address: address, hasNews: hasNews, continuation: continuation)
        return (state.last, old?.value.continuation)
      }
      replaced?.resume()
      guard let id else { return continuation.resume() }
      timer = Task { [self] in
        try? await Task.sleep(for: .seconds(seconds))
        end(id)
      }
    }
    timer?.cancel()
  }

  /// Answers those for whom there is news; the others stay.
  func wake() {
    let open = state.withLockedValue { state in
      let told = state.questions.filter { $0.value.hasNews() }
      for id in told.keys { state.questions[id] = nil }
      return told.values.map(\.continuation)
    }
    for continuation in open { continuation.resume() }
  }

  /// Ends all, for good.
  func finish() {
    let open = state.withLockedValue { state in
      defer { state = State(isStopped: true) }
      return state.questions.values.map(\.continuation)
    }
    for continuation in open { continuation.resume() }
  }

  private func end(_ id: UInt64) {
    state.withLockedValue { $0.questions.removeValue(forKey: id)?.continuation }?.resume()
  }
}
