import CAutoMobile
import Foundation

/// How late the watchdog is, and why: was the process stopped, or was there only no core for it?
///
/// The kernel of Linux counts how long a thread was ready without having a core, and a thread that is stopped is not ready: what is
/// left of the lateness the process was stopped for. Apple's systems tell apps nothing of that kind; there the cores' time that the
/// process has had tells, as far as it goes: more than it can have had before the watchdog was due, it had while the watchdog was
/// late. A process that wanted less cannot be told from one that was stopped, and is forgiven.
struct Lateness: Sendable {
  /// What the system counts, in nanoseconds; negative where it does not.
  struct Counters: Equatable, Sendable {
    /// For which this thread was ready without having a core.
    var waited: Int64
    /// That cores have worked for the process.
    var ran: Int64

    /// Asks the system. On the watchdog's thread; allocates nothing.
    static func now() -> Counters { Counters(waited: am_thread_waited(), ran: am_process_ran()) }
  }

  private var last: Counters?
  private let cores: Int64

  init(cores: Int = ProcessInfo.processInfo.activeProcessorCount) { self.cores = Int64(max(1, cores)) }

  /// How much of its lateness the process was stopped for, in milliseconds.
  ///
  /// - Parameters:
  ///   - late: in milliseconds.
  ///   - asleep: how long the watchdog wanted to sleep before, in milliseconds.
  ///   - counters: as they are now. What they were the last time is kept from call to call.
  mutating func stopped(late: Int64, asleep: Int64, _ counters: Counters) -> Int64 {
    defer { last = counters }
    guard late > 0, let last else { return late }
    if last.waited >= 0, counters.waited >= last.waited {
      // Rounded up: a thread waits a moment also when it wakes up after a stop.
      let waited = (counters.waited &- last.waited).addingReportingOverflow(999_999).partialValue / 1_000_000
      return max(0, late &- waited)
    }
    guard last.ran >= 0, counters.ran >= last.ran else { return late }
    let before = asleep.multipliedReportingOverflow(by: cores).partialValue
    return (counters.ran &- last.ran) / 1_000_000 >= before &+ late / 10 ? 0 : late
  }
}
