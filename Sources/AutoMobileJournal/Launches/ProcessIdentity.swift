import Foundation

/// One run of one process, told apart from a later process with the same number.
package struct ProcessIdentity: Equatable, Sendable {
  package var pid: Int32
  /// A moment at which the process ran, in microseconds since 1970 on Apple platforms and nanoseconds of the boot-time clock on
  /// Linux: a process that was started later is another one. 0 when unknown.
  package var since: UInt64
  /// Names the boot of the machine; zeros when unknown.
  package var boot: UUID

  package init(pid: Int32, since: UInt64, boot: UUID) {
    self.pid = pid
    self.since = since
    self.boot = boot
  }

  /// This process.
  package static var current: ProcessIdentity {
    // The child of a fork inherits what was found out about its parent.
    known.pid == getpid() ? known : inquire()
  }

  private static let known = inquire()

  private static func inquire() -> ProcessIdentity {
    ProcessIdentity(pid: getpid(), since: now() ?? 0, boot: bootSession() ?? unknownBoot)
  }

  private static var unknownBoot: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }

  /// Whether this very process still runs. When the system does not tell, it does.
  package var isAlive: Bool {
    let now = Self.current
    if boot != now.boot, boot != Self.unknownBoot, now.boot != Self.unknownBoot { return false }
    guard pid > 0 else { return false }
    if kill(pid, 0) != 0, errno == ESRCH { return false }
    guard since != 0, let start = Self.startTime(of: pid) else { return true }
    return start <= since
  }

  /// Whether it is this process.
  package var isCurrent: Bool { pid == getpid() && isAlive }

  #if canImport(Darwin)
  private static func startTime(of pid: Int32) -> UInt64? {
    var query = [CTL_KERN, KERN_PROC, KERN_PROC_PID, pid]
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard sysctl(&query, u_int(query.count), &info, &size, nil, 0) == 0, size > 0 else { return nil }
    // In C `p_starttime`, a macro, which Swift does not see.
    let time = info.kp_proc.p_un.__p_starttime
    return UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_usec)
  }

  private static func now() -> UInt64? { startTime(of: getpid()) }

  private static func bootSession() -> UUID? {
    var text = [CChar](repeating: 0, count: 64)
    var size = text.count
    guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return nil }
    return UUID(uuidString: String(cString: text))
  }
  #else
  /// The clock: to read when the process was started takes twenty times as long, for whoever initializes.
  private static func now() -> UInt64? {
    var now = timespec()
    guard clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return nil }
    return UInt64(clamping: now.tv_sec) &* nanosecondsPerSecond &+ UInt64(clamping: now.tv_nsec)
  }

  private static let nanosecondsPerSecond: UInt64 = 1_000_000_000

  private static func startTime(of pid: Int32) -> UInt64? {
    // The 22nd field of /proc/PID/stat; the second is the command in parentheses and may contain anything.
    guard let file = try? FileDescriptor(path: "/proc/\(pid)/stat", flags: O_RDONLY) else { return nil }
    defer { file.close() }
    let text = file.read(at: 0, count: 1024)
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    // By hand, because pieces of the text would be of types that a process that starts has not used yet.
    var spaces = 0
    var time: UInt64?
    for byte in text[(end + 1)...] {
      if byte == UInt8(ascii: " ") {
        spaces += 1
      } else if spaces == 20, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        time = (time ?? 0) &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
      }
    }
    let ticksPerSecond = UInt64(clamping: sysconf(Int32(clamping: _SC_CLK_TCK)))
    return time.map { $0 &* (nanosecondsPerSecond / max(1, ticksPerSecond)) }
  }

  private static func bootSession() -> UUID? {
    guard let file = try? FileDescriptor(path: "/proc/sys/kernel/random/boot_id", flags: O_RDONLY) else { return nil }
    defer { file.close() }
    return UUID(uuidString: String(decoding: file.read(at: 0, count: 36), as: UTF8.self))
  }
  #endif
}
