import Foundation

/// A thread's sleep that another thread can end, on a clock that nobody can set.
final class Alarm: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `isRinging` is only touched under the mutex. The pointers never
  // change, and what they point to lives as long as this object.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var isRinging = false

  init() {
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
    pthread_cond_init(condition, nil)
    #else
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Ends the sleep, or the next one. Any thread.
  func ring() {
    pthread_mutex_lock(mutex)
    isRinging = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Sleeps; may wake up early. One thread.
  ///
  /// - Returns: whether somebody rang.
  func sleep(milliseconds: Int64) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if !isRinging, milliseconds > 0 { wait(min(milliseconds, 3_600_000)) }
    defer { isRinging = false }
    return isRinging
  }

  private func wait(_ milliseconds: Int64) {
    #if canImport(Darwin)
    var time = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
    pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let nanoseconds = time.tv_nsec &+ Int(milliseconds % 1000) &* 1_000_000
    time.tv_sec = time.tv_sec &+ Int(milliseconds / 1000) &+ nanoseconds / 1_000_000_000
    time.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
