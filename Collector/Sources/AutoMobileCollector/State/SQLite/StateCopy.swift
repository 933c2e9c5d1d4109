import AutoMobileState
import Foundation
import GRDB
import Logging
import NIOConcurrencyHelpers

/// Keeps in the index what is read together with its own rows, where the state is elsewhere: which issues people resolved, gave to
/// somebody and put together, which apps are projects, what is forwarded, what was erased. And tells the state what the index noticed,
/// and what was erased here.
///
/// A collector goes on indexing with the copies while the state is away, and brings both up to date when it answers again.
final class StateCopy: Sendable {
  private let store: EventStore
  private let logger: Logger
  /// Looks every five seconds, also to see whether the state answers.
  private let worker = BackgroundWorker(every: 5)
  private let trouble = NIOLockedValueBox<Trouble?>(nil)
  private let isStale = NIOLockedValueBox(true)
  /// The same of marks of erasures, which are many, and told of by themselves.
  private let areMarksStale = NIOLockedValueBox(true)
  /// When this index last said which issues it has.
  private let toldTargets = NIOLockedValueBox<Int64>(0)
  /// Ends with the state.
  private let news: AsyncStream<StateNews>

  enum Trouble: Sendable {
    /// It cannot be read.
    case away(any Error)
    /// It is read, and does not take what the index noticed.
    case waiting(any Error)

    var error: any Error {
      switch self {
      case .away(let error), .waiting(let error): error
      }
    }

    /// For whoever asks how the collector is: without the engine's words, which have addresses in them.
    var sentence: String {
      switch self {
      case .away: "projects, keys and decisions are as they were, and cannot be changed until the database answers"
      case .waiting: "what this collector noticed of issues waits: the database does not take it, and the log says why"
      }
    }
  }

  private static let subjects: Set<StateSubject> = [.issues, .projects, .forwarders, .erasures]

  /// Reads all of it, on this thread; does nothing where the state is in the index's file.
  ///
  /// - Throws: what the state says.
  init(_ store: EventStore, logger: Logger) throws {
    (self.store, self.logger) = (store, logger)
    // First, so that nothing falls between reading and hearing.
    news = store.sharesState ? store.state.news(of: Self.subjects) : AsyncStream { $0.finish() }
    guard store.sharesState else { return }
    try pull()
    try pullMarks()
  }

  func start() {
    guard store.sharesState else { return }
    worker.start("state copy") { [self] in work() }
    Task { [weak self, news] in
      for await one in news { self?.hear(one) }
    }
  }

  /// Why the state is not as this collector has it; nil when it is.
  var problem: Trouble? { trouble.withLockedValue { $0 } }

  /// Something was indexed: there may be something to tell.
  func wake() { worker.wake() }

  func stop() {
    guard store.sharesState else { return }
    worker.stop()
  }

  private func hear(_ news: StateNews) {
    // Nothing is said of what was missed.
    if news.subject == nil || news.subject == .erasures { areMarksStale.withLockedValue { $0 = true } }
    if news.subject != .erasures { isStale.withLockedValue { $0 = true } }
    worker.wake()
  }

  private func work() {
    let found = tellAndLook()
    sayLost()
    let isNews = trouble.withLockedValue { trouble in
      defer { trouble = found }
      return trouble == nil
    }
    guard let found else { return }
    if isNews { logger.error("\(found.sentence)", metadata: ["error": "\(found.error)"]) }
    if worker.pause(1) { worker.wake() }
  }

  private func tellAndLook() -> Trouble? {
    var refused: StateError?
    do {
      for tell in [store.tellState, store.tellMarks, tellTargets] {
        do {
          try tell()
        } catch let error as StateError where !error.isPassing {
          // The rest of what there is to tell, and what others decided, goes on all the same.
          refused = refused ?? error
        }
      }
      guard let refused else { return look() }
      return worker.mustEnd ? Trouble.waiting(refused) : look() ?? Trouble.waiting(refused)
    } catch {
      return missed(error)
    }
  }

  private func tellTargets() throws {
    let now = WallClock.now
    // A clock that was set back tells at once.
    guard !(0..<IssueTargets.every).contains(now - toldTargets.withLockedValue { $0 }) else { return }
    try store.tellTargets(at: now)
    toldTargets.withLockedValue { $0 = now }
  }

  private func look() -> Trouble? {
    do {
      let (isOld, areMarksOld) = (isStale.withLockedValue { $0 }, areMarksStale.withLockedValue { $0 })
      if isOld { try pull() }
      if areMarksOld { try pullMarks() }
      if !isOld, !areMarksOld { try store.state.readNow { _ = try $0.row("SELECT 1") } }
      return nil
    } catch {
      return missed(error)
    }
  }

  private func missed(_ error: any Error) -> Trouble {
    // What is told meanwhile is not heard.
    isStale.withLockedValue { $0 = true }
    areMarksStale.withLockedValue { $0 = true }
    return .away(error)
  }

  private func sayLost() {
    let lost = store.lostNotices.withLockedValue { lost in
      defer { lost = [] }
      return lost
    }
    for reason in lost {
      logger.error("something that this collector noticed of an issue is lost", metadata: ["error": "\(reason)"])
    }
  }

  private func pull() throws {
    isStale.withLockedValue { $0 = false }
    for pull in [store.pullIssues, store.pullProjects, store.pullForwarders] {
      // Each may wait for the state. The next process reads all of it.
      guard !worker.mustEnd else { return isStale.withLockedValue { $0 = true } }
      try pull()
    }
  }

  private func pullMarks() throws {
    areMarksStale.withLockedValue { $0 = false }
    try store.pullMarks()
  }
}
