import Foundation

/// Calls back when the process ends in an orderly way: by `exit` or by returning from `main`.
///
/// Not called when it is killed, crashes, or calls `_exit`; nor in the child of a fork, which inherits the list and has
/// nothing to say about its parent.
enum ProcessExit {
  /// Held by whoever wants to be called; releasing it ends that.
  final class Observation: Sendable {
    fileprivate let body: @Sendable () -> Void
    fileprivate let process = getpid()

    fileprivate init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private struct Weak: Sendable {
    weak var observation: Observation?
  }

  private static let observations = Locked<[Weak]>([])
  /// The process that observes. Looked at before the lock, which another thread may have held when this one was forked.
  private static let observer = AtomicWord()
  private static let registered: Void = {
    // A C function cannot be taken from the list again, so there is one for all.
    atexit { ProcessExit.notify() }
  }()

  /// - Parameter body: called on the thread that ends the process, in the reverse order of observing. It must not wait.
  static func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    _ = registered
    observer.store(UInt64(bitPattern: Int64(getpid())))
    let observation = Observation(body)
    observations.withLock { list in
      list.removeAll { $0.observation == nil }
      list.append(Weak(observation: observation))
    }
    return observation
  }

  private static func notify() {
    guard observer.value == UInt64(bitPattern: Int64(getpid())) else { return }
    let list = observations.withLock { $0 }
    for observation in list.reversed().compactMap(\.observation) where observation.process == getpid() {
      observation.body()
    }
  }
}
