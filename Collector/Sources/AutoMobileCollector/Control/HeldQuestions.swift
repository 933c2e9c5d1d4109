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
    var continuation: CheckedContinuation<Bool, Never>
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

  /// How long a question is held, in whole seconds, as apps are told.
  var term: String { String(Int(longest)) }

  /// What an app is told that may ask; nil: it would find no place, and would ask in vain again and again.
  func offer(to owner: DataOwner) -> String? {
    // Whoever asks while this collector stops is answered by the next one.
    state.withLockedValue { $0.isStopped || hasRoom(for: owner, $0) } ? term : nil
  }

  private func hasRoom(for owner: DataOwner, _ state: State) -> Bool {
    state.questions.count < most && state.questions.values.count(where: { $0.address.owner == owner }) < mostOfApp
  }

  /// How many are held at this moment.
  var count: Int { state.withLockedValue { $0.questions.count } }

  /// Returns when there is news, the time is over, nobody waits for the answer any more, or there is no place.
  ///
  /// - Parameter hasNews: asked once the question has its place, and again whenever there may be, so that no news falls between.
  /// - Returns: false when there was no place: who asks again finds none either.
  @discardableResult
  func hold(
    _ address: CommandExchange.Address, for seconds: Double, client: ClientPresence = ClientPresence(),
    hasNews: @escaping @Sendable () -> Bool
  ) async -> Bool {
    var timer: Task<Void, Never>?
    var watch: Int?
    let hadPlace = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let (id, isStopped, replaced) = state.withLockedValue {
        state -> (UInt64?, Bool, CheckedContinuation<Bool, Never>?) in
        // A question of this launch that is still held is of a connection that is gone.
        let old = state.questions.first { $0.value.address == address }
        if let old { state.questions[old.key] = nil }
        guard !state.isStopped, hasRoom(for: address.owner, state) else {
          return (nil, state.isStopped, old?.value.continuation)
        }
        state.last &+= 1
        state.questions[state.last] = Question(address: address, hasNews: hasNews, continuation: continuation)
        return (state.last, false, old?.value.continuation)
      }
      replaced?.resume(returning: true)
      guard let id else { return continuation.resume(returning: isStopped) }
      if hasNews() { return end(id) }
      watch = client.onLeave { [self] in end(id) }
      timer = Task { [self] in
        try? await Task.sleep(for: .seconds(seconds))
        end(id)
      }
    }
    timer?.cancel()
    if let watch { client.forget(watch) }
    return hadPlace
  }

  /// Answers those for whom there is news; the others stay.
  func wake() {
    let held = state.withLockedValue { $0.questions.mapValues(\.hasNews) }
    // Looking for news may take a while, and is not done under the lock.
    for (id, hasNews) in held where hasNews() { end(id) }
  }

  /// Ends all, for good. They had their places, and find others when the next collector is there.
  func finish() {
    let open = state.withLockedValue { state in
      defer { state = State(isStopped: true) }
      return state.questions.values.map(\.continuation)
    }
    for continuation in open { continuation.resume(returning: true) }
  }

  private func end(_ id: UInt64) {
    state.withLockedValue { $0.questions.removeValue(forKey: id)?.continuation }?.resume(returning: true)
  }
}
