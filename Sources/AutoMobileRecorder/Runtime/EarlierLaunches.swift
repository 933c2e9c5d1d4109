import AutoMobileJournal
import AutoMobileSupport
import Dispatch

/// Looks at what earlier launches left before any of it is delivered and removed: what became of them?
///
/// Subsystems add their questions while they are started. Nothing is looked at on the thread that initializes.
package final class EarlierLaunches: Sendable {
  /// The questions, in the order in which they are asked: a later one may use what an earlier one found.
  package enum Step: Int, Comparable, Sendable {
    /// Did it crash? Then there is a report.
    case crashes
    /// Did it end while its main thread hung?
    case hangs
    /// Did it end in the middle of requests?
    case requests
    /// What ended it?
    case verdict

    package static func < (one: Step, other: Step) -> Bool { one.rawValue < other.rawValue }
  }

  /// Called on a background queue with launches that have not been looked at before, oldest first; in any case once,
  /// soon after the start, even when there are none.
  package typealias Look = @Sendable (_ launches: [LaunchID]) -> Void

  private struct Question {
    let step: Step
    let look: Look
  }

  private struct State {
    var looks: [Question] = []
    var seen: Set<LaunchID> = []
    var hasLooked = false
  }

  private let journal: Journal
  private let onStep: @Sendable (Step) -> Void
  private let state = Locked(State())
  /// On which nobody leaves work for later, but for an erasure that an earlier launch did not end: so it needs no thread of its own,
  /// and is none of the queues that are held while an SDK
  /// initializes. Whoever looks would wait for that.
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.earlier-launches")

  /// - Parameter onStep: told what is being looked at, before it is.
  init(journal: Journal, onStep: @escaping @Sendable (Step) -> Void = { _ in }) {
    self.journal = journal
    self.onStep = onStep
  }

  package func add(_ step: Step, _ look: @escaping Look) {
    state.withLock { state in
      state.looks.append(Question(step: step, look: look))
      state.looks = state.looks.ordered { $0.step < $1.step }
    }
  }

  /// Returns when every launch that the journal knows now has been looked at. Reads the disk.
  func look() { queue.sync { perform() } }

  /// Does something before anybody looks, or in between. On the calling thread.
  func first(_ body: () -> Void) { queue.sync(execute: body) }

  /// The same, on a thread of its own, before anybody looks from now on.
  func firstLater(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Asks nothing any more, and lets go of whoever wanted to.
  func stop() {
    let looks = state.withLock { state in
      defer { state.looks = [] }
      return state.looks
    }
    withExtendedLifetime(looks) {}
  }

  private func perform() {
    let launches = journal.launches().filter {
      !journal.isOwn($0) && journal.marks(of: $0) & PredecessorEvents.mark == 0
    }
    let (new, looks) = state.withLock { state in
      let new = launches.filter { state.seen.insert($0).inserted }
      defer { state.hasLooked = true }
      return (new, new.isEmpty && state.hasLooked ? [] : state.looks)
    }
    for look in looks {
      onStep(look.step)
      look.look(new)
    }
  }
}
