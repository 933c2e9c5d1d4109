import Foundation

/// Who hears the news of a store. What one of them has not taken yet is bounded: who falls behind hears
/// ``StateNews/everything`` in place of it.
///
/// Unchecked: what changes is read and written with the lock held.
package final class StateListeners: @unchecked Sendable {
  private struct Listener {
    var subjects: Set<StateSubject>
    var continuation: AsyncStream<StateNews>.Continuation
  }

  /// News that wait for one listener.
  private static let mostWaiting = 256

  private let lock = NSLock()
  private var listeners: [Int: Listener] = [:]
  private var next = 0
  private var isFinished = false

  package init() {}

  /// A new listener's stream; one that has ended after ``finish()``.
  package func listen(to subjects: Set<StateSubject>) -> AsyncStream<StateNews> {
    let (stream, continuation) = AsyncStream<StateNews>.makeStream(bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    let id: Int? = lock.withLock {
      guard !isFinished else { return nil }
      next += 1
      listeners[next] = Listener(subjects: subjects, continuation: continuation)
      return next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      _ = lock.withLock { self.listeners.removeValue(forKey: id) }
    }
    return stream
  }

  /// Returns at once, whoever listens.
  package func tell(_ news: StateNews) {
    let hearing = lock.withLock {
      listeners.values.filter { listener in news.subject.map { listener.subjects.contains($0) } ?? true }
    }
    for listener in hearing {
      // The oldest has made room, and is forgotten: so is this one then, for something that says both.
      if case .dropped = listener.continuation.yield(news) { listener.continuation.yield(.everything) }
    }
  }

  /// Ends all streams, for good.
  package func finish() {
    let ending = lock.withLock {
      isFinished = true
      defer { listeners = [:] }
      return Array(listeners.values)
    }
    for listener in ending { listener.continuation.finish() }
  }
}
