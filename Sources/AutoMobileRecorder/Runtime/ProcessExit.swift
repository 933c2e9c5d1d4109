import AutoMobileSupport
import Foundation

/// Calls back when the process ends in an orderly way: by `exit` or by returning from `main`.
///
/// Not called when it is killed, crashes, or calls `_exit`; nor in the child of a fork, which inherits the list and has
/// nothing to say about its parent.
package enum ProcessExit {
  /// Held by whoever wants to be called; releasing it ends that.
  package final class Observation: Sendable {
    fileprivate let body: @Sendable () -> Void
    fileprivate let process = getpid()

    fileprivate init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// One observation, and those before it. No array: the first one of its kind takes the thread that initializes longer to make.
  private struct Link: Sendable {
    weak var observation: Observation?
    let earlier: Earlier

    indirect enum Earlier: Sendable {
      case none
      case link(Link)
    }
  }

  private static let observations = Locked(Link.Earlier.none)
  /// The process that observes. Looked at before the lock, which another thread may have held when this one was forked.
  private static let observer = AtomicWord()
  private static let registered: Void = {
    // A C function cannot be taken from the list again, so there is one for all.
    atexit { ProcessExit.notify() }
  }()

  /// - Parameter body: called on the thread that ends the process, in the reverse order of observing. It must not wait.
  package static func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    _ = registered
    observer.store(UInt64(bitPattern: Int64(getpid())))
    let observation = Observation(body)
    observations.withLock { last in last = .link(Link(observation: observation, earlier: reversed(reversed(last)))) }
    return observation
  }

  private static func notify() {
    guard observer.value == UInt64(bitPattern: Int64(getpid())) else { return }
    var rest = observations.withLock { $0 }
    while case .link(let link) = rest {
      if let observation = link.observation, observation.process == getpid() { observation.body() }
      rest = link.earlier
    }
  }

  /// In the reverse order, without those that have been released.
  private static func reversed(_ last: Link.Earlier) -> Link.Earlier {
    var rest = last
    var reversed = Link.Earlier.none
    while case .link(let link) = rest {
      if let observation = link.observation { reversed = .link(Link(observation: observation, earlier: reversed)) }
      rest = link.earlier
    }
    return reversed
  }
}
