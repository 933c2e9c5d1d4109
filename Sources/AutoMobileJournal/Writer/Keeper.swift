import CAutoMobile
import Foundation

/// The thread that does for the writers what they must not wait for: it prepares segments and keeps to the budget.
///
/// Sendable: the semaphores are for all threads, the phase has a lock, `store` locks.
final class Keeper: @unchecked Sendable {
  private let store: JournalStore
  private let work = DispatchSemaphore(value: 0)
  private enum Phase { case idle, running, stopped }
  private let lock = NSLock()
  private var phase = Phase.idle
  private let ended = DispatchSemaphore(value: 0)

  /// How often what is old is looked for, in seconds.
  private static let expiryInterval: TimeInterval = 3600
  /// How long to wait before a segment that could not be made is tried again, in seconds.
  private static let retryInterval: TimeInterval = 1

  private static let stackSize = 512 * 1024

  init(_ store: JournalStore) {
    self.store = store
  }

  func start() {
    guard
      lock.withLock({
        guard phase == .idle else { return false }
        phase = .running
        return true
      })
    else { return }
    // Unretained: the thread holds the keeper, and `stop` comes before the ring goes.
    store.ring.shared.pointee.wake_context = Unmanaged.passUnretained(work).toOpaque()
    store.ring.shared.pointee.wake = { context in
      guard let context else { return }
      Unmanaged<DispatchSemaphore>.fromOpaque(context).takeUnretainedValue().signal()
    }
    // Retained for as long as the thread runs.
    let keeper = Unmanaged.passRetained(self)
    let code = am_thread_start(
      "AutoMobile journal", AM_THREAD_BACKGROUND, Self.stackSize,
      { Unmanaged<Keeper>.fromOpaque($0).takeRetainedValue().run() }, keeper.toOpaque())
    guard code != 0 else { return }
    // Without a thread there is the first segment, and what finds no room in it is counted.
    keeper.release()
    lock.withLock { phase = .idle }
  }

  /// There is something to do that nobody of the writers has asked for.
  func wake() { work.signal() }

  func stop() {
    let wasIdle = lock.withLock {
      defer { phase = .stopped }
      return phase == .idle
    }
    // Then there is no thread that would say so.
    if wasIdle { ended.signal() }
    work.signal()
  }

  /// Waits until the thread is done; for tests, which remove the directory next.
  func waitUntilEnded() {
    ended.wait()
    ended.signal()
  }

  private func run() {
    _ = am_crash_prepare_thread()
    var nextExpiry = DispatchTime.now()
    while lock.withLock({ phase }) != .stopped {
      let isPrepared = autoreleasing {
        store.lock.withLock {
          store.own.ledger.touch()
          store.ring.touch(store.ring.current)
          let isPrepared = store.prepareSpares()
          if !store.isExpiryHeld, DispatchTime.now() >= nextExpiry || store.isExpiryDue {
            store.isExpiryDue = false
            store.expire()
            store.trim()
            nextExpiry = .now() + Self.expiryInterval
          }
          return isPrepared
        }
      }
      _ = work.wait(timeout: .now() + (isPrepared ? Self.expiryInterval : Self.retryInterval))
    }
    ended.signal()
  }

  private func autoreleasing(_ body: () -> Bool) -> Bool {
    #if canImport(Darwin)
    return autoreleasepool(invoking: body)
    #else
    return body()
    #endif
  }
}
