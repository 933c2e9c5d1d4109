import AutoMobileState
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Keeps in the index what is read together with its own rows, where the state is elsewhere: which issues people resolved, gave to
/// somebody and put together, which apps are projects, what is forwarded. And tells the state what the index noticed.
///
/// A collector goes on indexing with the copies while the state is away, and brings both up to date when it answers again.
final class StateCopy: Sendable {
  private let store: EventStore
  private let logger: Logger
  /// Looks every five seconds, also to see whether the state answers.
  private let worker = BackgroundWorker(every: 5)
  private let trouble = NIOLockedValueBox<String?>(nil)
  private let isStale = NIOLockedValueBox(true)
  /// Ends with the state.
  private let news: AsyncStream<StateNews>

  private static let subjects: Set<StateSubject> = [.issues, .projects, .forwarders]

  /// Reads all of it, on this thread; does nothing where the state is in the index's file.
  ///
  /// - Throws: what the state says.
  init(_ store: EventStore, logger: Logger) throws {
    (self.store, self.logger) = (store, logger)
    // First, so that nothing falls between reading and hearing.
    news = store.sharesState ? store.state.news(of: Self.subjects) : AsyncStream { $0.finish() }
    guard store.sharesState else { return }
    try pull()
  }

  func start() {
    guard store.sharesState else { return }
    worker.start("state copy") { [self] in work() }
    Task { [weak self, news] in
      for await _ in news { self?.hear() }
    }
  }

  /// Why the state is not as this collector has it; nil when it is.
  var problem: String? { trouble.withLockedValue { $0 } }

  /// Something was indexed: there may be something to tell.
  func wake() { worker.wake() }

  func stop() {
    guard store.sharesState else { return }
    worker.stop()
  }

  private func hear() {
    isStale.withLockedValue { $0 = true }
    worker.wake()
  }

  private func work() {
    do {
      try store.tellState()
      if isStale.withLockedValue({ $0 }) { try pull() } else { try store.state.readNow { _ = try $0.row("SELECT 1") } }
      trouble.withLockedValue { $0 = nil }
    } catch {
      let isNews = trouble.withLockedValue { trouble in
        defer { trouble = "\(error)" }
        return trouble == nil
      }
      // What is told meanwhile is not heard.
      isStale.withLockedValue { $0 = true }
      if isNews {
        logger.error("the state does not answer; what was decided is as it was", metadata: ["error": "\(error)"])
      }
      if worker.pause(1) { worker.wake() }
    }
  }

  private func pull() throws {
    isStale.withLockedValue { $0 = false }
    try store.pullIssues()
    try store.pullProjects()
    try store.pullForwarders()
  }
}
