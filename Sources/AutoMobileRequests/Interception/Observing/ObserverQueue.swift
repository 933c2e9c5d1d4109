import AutoMobileJournal
import AutoMobileRecorder
import AutoMobileSupport
import Dispatch

/// Where observers hear of requests: one thing after the other, on a queue of their own, while the app goes on.
///
/// What waits there is bounded. What is over is not told; whoever wanted to tell it says so to whoever counts.
final class ObserverQueue: Sendable {
  /// So much may wait.
  static let most = 1000
  /// In bytes of bodies and payloads.
  static let mostBytes = 16 << 20

  private struct Waiting {
    var count = 0
    var bytes = 0
    /// The app is being told of so many ends, of which the observers are told next.
    var ends = 0
    var whenNoneEnds: [@Sendable () -> Void] = []
  }
  private let queue = DispatchQueue(label: "dev.jasonpearson.automobile.sdk.network.observers", qos: .utility)
  private let waiting = Locked(Waiting())

  /// Does `work` in its turn. Any thread; returns at once.
  ///
  /// - Parameter bytes: what `work` keeps in memory.
  /// - Returns: false when too much waits already.
  func add(bytes: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
    let mayWait = waiting.withLock { waiting in
      // Whatever its size, one may.
      guard waiting.count == 0 || (waiting.count < Self.most && bytes <= Self.mostBytes - waiting.bytes) else {
        return false
      }
      waiting.count += 1
      waiting.bytes = waiting.bytes.adding(saturating: bytes)
      return true
    }
    guard mayWait else { return false }
    queue.async { [self] in
      work()
      waiting.withLock { waiting in
        waiting.count -= 1
        waiting.bytes = waiting.count == 0 ? 0 : max(0, waiting.bytes - bytes)
      }
    }
    return true
  }

  /// Tells the app of an end, and has the observers told then.
  func end(forApp tell: () -> Void, thenForObservers add: () -> Void) {
    waiting.withLock { $0.ends += 1 }
    tell()
    add()
    let callbacks = waiting.withLock { waiting in
      waiting.ends -= 1
      guard waiting.ends == 0 else { return [@Sendable () -> Void]() }
      defer { waiting.whenNoneEnds = [] }
      return waiting.whenNoneEnds
    }
    for callback in callbacks { queue.async(execute: callback) }
  }

  /// Calls back, on the queue, when the observers have been told of everything that the app knows now.
  func whenDone(_ body: @escaping @Sendable () -> Void) {
    let isNow = waiting.withLock { waiting in
      if waiting.ends > 0 { waiting.whenNoneEnds.append(body) }
      return waiting.ends == 0
    }
    if isNow { queue.async(execute: body) }
  }

  /// Waits for that; for tests.
  func drain() {
    let done = DispatchSemaphore(value: 0)
    whenDone { done.signal() }
    done.wait()
  }
}
