import AutoMobileRecorder
import AutoMobileSupport
import CAutoMobile
import Foundation

/// When this process came into being, on the clock of `Clocks.continuousMilliseconds()`.
enum ProcessBirth {
  /// The kernel made it. Exact to a hundredth of a second on Linux; nil when the kernel does not say.
  static func start() -> Int64? {
    #if canImport(Darwin)
    var query = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard sysctl(&query, u_int(query.count), &info, &size, nil, 0) == 0 else { return nil }
    let started = info.kp_proc.p_un.__p_starttime
    let wall = Int64(started.tv_sec) &* 1000 &+ Int64(started.tv_usec) / 1000
    // The kernel has it by the wall clock, which may have been set since: then the times contradict each other.
    return Clocks.continuousMilliseconds() &- (Clocks.millisecondsSince1970() &- wall)
    #else
    guard let line = SmallFile.read("/proc/self/stat") else { return nil }
    return start(statLine: line, ticksPerSecond: Int64(sysconf(Int32(clamping: _SC_CLK_TCK))))
    #endif
  }

  /// `/proc/self/stat`: the 22nd field has the time since the boot, in ticks. The second, in brackets, is the program's
  /// name, and may hold anything.
  static func start(statLine line: String, ticksPerSecond: Int64) -> Int64? {
    guard ticksPerSecond > 0, let bracket = line.lastIndex(of: ")") else { return nil }
    let fields = line[line.index(after: bracket)...].split(separator: " ", maxSplits: 20)
    guard fields.count > 19, let ticks = Int64(fields[19]), ticks >= 0, ticks < Int64.max / 1000 else { return nil }
    return ticks &* 1000 / max(1, ticksPerSecond)
  }

  /// The program's code began to run: what the loader calls before `main`.
  static var main: Int64 { Int64(clamping: am_launch_loaded_ms()) }

  /// The system made the process before anybody asked for it, as of iOS 15.
  static var isPrewarmed: Bool { am_launch_is_prewarmed() != 0 }
}
