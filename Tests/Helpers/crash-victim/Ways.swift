import CAutoMobile
import CrashWays
import Foundation

@testable import AutoMobileCrashReporting
@testable import AutoMobileRecorder

/// A way to die.
struct Way {
  /// Before the SDK is initialized.
  var beforehand: () -> Void = {}
  /// While the SDK starts, before anything is done in the background.
  var duringInitialize: (@Sendable () -> Void)?
  let die: () -> Void

  init(_ die: @escaping () -> Void) { self.die = die }

  static func duringInitialize(_ body: @escaping @Sendable () -> Void) -> Way {
    var way = Way {}
    way.duringInitialize = body
    return way
  }

  func then(_ die: @escaping () -> Void) -> Way {
    var way = Way(die)
    way.duringInitialize = duringInitialize
    return way
  }

  init(beforehand: @escaping () -> Void, _ die: @escaping () -> Void) {
    self.beforehand = beforehand
    self.die = die
  }
}

nonisolated(unsafe) let ways: [String: Way] = [
  "none": Way {},
  "during-initialize": .duringInitialize(die_of_null_pointer),
  "exception-during-initialize": .duringInitialize(die_of_cpp_exception),
  "threads-during-initialize": .duringInitialize { call_on_threads(8, die_of_null_pointer) },
  "directory-lost-during-initialize": .duringInitialize(dieWithoutDirectory),
  "without-lane": Way.duringInitialize(putSomethingInTheLanesPlace).then {
    while sdk.diagnostics.lastError == nil { usleep(1000) }
    print(sdk.diagnostics.lastError ?? "")
    die_of_null_pointer()
  },
  // Waits for the watchdog, and lives until it is killed.
  "hang": Way {
    AutoMobileHangs.shared.hangThresholdMs = 500
    AutoMobileHangs.shared.pollIntervalMs = 50
    while !AutoMobileHangs.shared.isServed {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
    hangForEver()
  },
  // Lives until it is killed.
  "linger": Way { while true { sleep(10) } },
  "null-pointer": Way { die_of_null_pointer() },
  "wild-pointer": Way { die_of_wild_pointer() },
  "bus-error": Way { die_of_bus_error(directory.appendingPathComponent("mapped").path) },
  "division": Way { die_of_division() },
  "illegal-instruction": Way { die_of_illegal_instruction() },
  "abort": Way { die_of_abort() },
  "trap": Way { die_of_trap() },
  "precondition": Way { dieOfPrecondition() },
  "nil": Way { dieOfNil() },
  "index": Way { dieOfIndex() },
  "cpp-exception": Way { die_of_cpp_exception() },
  "silly-exception": Way { die_of_silly_exception() },
  "rethrown-exception": Way { die_of_foreign_exception() },
  "noexcept": Way { die_of_throwing_noexcept() },
  "stack-overflow": Way { die_of_stack_overflow() },
  "stack-overflow-on-thread": Way {
    call_on_thread({ AutoMobileCrashes.shared.prepareCurrentThread() }, die_of_stack_overflow)
  },
  "corrupt-heap": Way { die_of_corrupt_heap() },
  "heap-locked": Way { die_with_heap_locked() },
  "loader-locked": Way { die_with_loader_locked() },
  "eight-threads": Way { call_on_threads(8, die_of_null_pointer) },
  "eight-threads-together": Way {
    // The first waits in the handler until the others have had the time to come there.
    if !am_crash_set_hook({ if $0 == UInt32(AM_LANE_ENTERED) { usleep(300_000) } }) { exit(69) }
    call_on_threads(8, die_of_null_pointer)
  },
  "in-signal-handler": Way { call_in_signal_handler(die_of_null_pointer) },
  "in-host-handler": Way(
    beforehand: { install_host_handlers(1, 1) { if $0 == SIGSEGV { die_of_division() } else { signal($0, SIG_DFL) } } },
    { die_of_null_pointer() }),
  "in-host-handler-again": Way(
    beforehand: { install_host_handlers(1, 1) { _ in die_of_wild_pointer() } }, { die_of_null_pointer() }),
  "abort-in-host-handler": Way(
    beforehand: { install_host_handlers(1, 1) { if $0 == SIGSEGV { die_of_abort() } } }, { die_of_null_pointer() }),
  "in-our-handler": Way {
    if !am_crash_set_hook({ if $0 == UInt32(AM_LANE_CRASHED_THREAD) { die_of_division() } }) { exit(69) }
    die_of_null_pointer()
  },
  "at-once-in-our-handler": Way {
    if !am_crash_set_hook({ if $0 == UInt32(AM_LANE_ENTERED) { die_of_null_pointer() } }) { exit(69) }
    die_of_null_pointer()
  },
  "abort-in-our-handler": Way {
    if !am_crash_set_hook({ if $0 == UInt32(AM_LANE_ALL_THREADS) { die_of_abort() } }) { exit(69) }
    die_of_null_pointer()
  },
  "in-our-listener": Way { die_reported_by_a_dying_listener(UInt32(AM_SECTION_NOTE)) },
  "in-fork": Way {
    let status = call_in_fork(die_of_null_pointer)
    print("child \(status & 0x7F)")
  },
  "ignored": Way(beforehand: ignore_crash_signals) {
    for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL] { raise(signal) }
    print("ignored")
    die_of_null_pointer()
  },
  "mended": Way(beforehand: install_mending_handler) {
    protected_page().storeBytes(of: 7, as: Int.self)
    print("went on")
  },
  "mended-then-null-pointer": Way(beforehand: install_mending_handler) {
    protected_page().storeBytes(of: 7, as: Int.self)
    die_of_null_pointer()
  },
  "disabled": Way {
    AutoMobileCrashes.shared.disableSignalHandlers()
    die_of_null_pointer()
  },
  "handler-installed-later": Way {
    install_host_handlers(1, 0, nil)
    AutoMobileCrashes.shared.disableSignalHandlers()
    die_of_null_pointer()
  },
  "sent": Way { kill(getpid(), SIGSEGV) },
  "corrupt-journal": Way {
    damageJournal()
    die_of_null_pointer()
  },
  "journal-cut-off": Way {
    cutOffJournal()
    for step in 0..<2000 { sdk.trackEvent(name: "after", properties: ["step": "\(step)"]) }
    print("mended \(am_guard_faults() > 0) lost \(sdk.diagnostics.dropped.keys.sorted().joined(separator: ","))")
  },
  "disk-full": Way {
    fillDisk()
    die_of_null_pointer()
  },
  "in-library": Way { die_in_library(arguments[2]) },
  "on-pool-thread": Way {
    DispatchQueue.global().async { die_of_null_pointer() }
    while true { sleep(1) }
  },
  "out-of-memory": Way {
    var limit = rlimit(rlim_cur: 1 << 30, rlim_max: 1 << 30)
    setrlimit(__rlimit_resource_t(9), &limit)
    var hoard: [[UInt64]] = []
    while true {
      hoard.append([UInt64](repeating: 1, count: 1 << 20))
      // As the system's warning has it done.
      sdk.runtime?.launchHistory?.sample()
    }
  },
]
/// Writes nonsense over everything that this launch has recorded, under the journal's feet.
private func damageJournal() {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  for name in names where name.hasSuffix(".journal") || name.hasSuffix(".ledger") {
    let file = open(directory.appendingPathComponent(name).path, O_RDWR)
    let nonsense = [UInt8](repeating: 0xA5, count: 4096)
    // Not what says whose segment it is.
    pwrite(file, nonsense, nonsense.count, name.hasSuffix(".journal") ? 256 : 0)
    close(file)
  }
}

/// Takes the blocks away from the segments that are mapped, as a disk that fails does.
private func cutOffJournal() {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  for name in names where name.hasSuffix(".journal") { truncate(directory.appendingPathComponent(name).path, 0) }
}

private func putSomethingInTheLanesPlace() {
  let launch = sdk.diagnostics.launchId ?? ""
  try? FileManager.default.createDirectory(
    at: directory.appendingPathComponent(launch + CrashLaneFile.suffix), withIntermediateDirectories: false)
}

private func dieWithoutDirectory() {
  try? FileManager.default.removeItem(at: directory)
  die_of_null_pointer()
}

/// Leaves no byte on the directory's disk.
private func fillDisk() {
  let file = open(directory.appendingPathComponent("filler").path, O_RDWR | O_CREAT, 0o600)
  let block = [UInt8](repeating: 1, count: 4096)
  while write(file, block, block.count) > 0 {}
  close(file)
}
