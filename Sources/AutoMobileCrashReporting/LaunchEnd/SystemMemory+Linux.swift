#if os(Linux)
import AutoMobileRecorder
import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// The memory of this process, by the kernel's accounts.
enum SystemMemory {
  /// What the process uses, beside the nearest of its limits: of its control group, or of its address space.
  static func use() -> MemoryUse {
    let pages =
      SmallFile.read("/proc/self/statm")?.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) } ?? []
    let (addresses, resident) = pages.count > 1 ? (bytes(pages[0]), bytes(pages[1])) : (0, 0)
    let group = ControlGroup.current.map { ($0.usage ?? resident, $0.limit) }
    var candidates: [(footprint: UInt64, limit: UInt64)] = [(resident, 0)]
    if let (usage, limit) = group, let limit { candidates.append((usage, limit)) }
    if let limit = limit(RLIMIT_AS) { candidates.append((addresses, limit)) }
    let nearest = candidates.max { share($0) < share($1) } ?? (resident, 0)
    return MemoryUse(
      footprint: nearest.footprint, limit: nearest.limit, pressure: systemPressure(),
      kills: ControlGroup.current?.kills)
  }

  /// There is no notification that costs nothing while memory is plenty: samples have to do.
  static func observePressure(_ onChange: @escaping @Sendable (MemoryUse.Level) -> Void) -> AnyObject? { nil }

  /// Hardly anything is available to anybody.
  private static func systemPressure() -> MemoryUse.Level {
    guard let text = SmallFile.read("/proc/meminfo"),
      let total = SmallFile.number(after: "MemTotal:", in: text), total > 0,
      let available = SmallFile.number(after: "MemAvailable:", in: text)
    else { return .normal }
    let share = Double(available) / Double(total)
    return share < 0.02 ? .critical : share < 0.05 ? .warning : .normal
  }

  private static func share(_ use: (footprint: UInt64, limit: UInt64)) -> Double {
    use.limit == 0 ? 0 : Double(use.footprint) / Double(use.limit)
  }

  private static func bytes(_ pages: UInt64) -> UInt64 {
    pages.multiplied(saturating: UInt64(clamping: max(1, getpagesize())))
  }

  /// Nil when there is no limit.
  private static func limit(_ resource: __rlimit_resource) -> UInt64? {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(truncatingIfNeeded: resource.rawValue), &limits) == 0 else { return nil }
    let limit = UInt64(limits.rlim_cur)
    // `RLIM_INFINITY` cannot be imported: all ones.
    return limit == .max || limit == 0 ? nil : limit
  }
}

/// The control group that accounts for this process's memory.
struct ControlGroup: Sendable {
  private let directory: String
  private let isUnified: Bool

  /// Nil when there is none with limits of its own. Looked up once: processes are rarely moved.
  static let current: ControlGroup? = {
    guard let memberships = SmallFile.read("/proc/self/cgroup") else { return nil }
    for line in memberships.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { continue }
      let path = parts[2] == "/" ? "" : String(parts[2])
      if parts[1].split(separator: ",").contains("memory") {
        return ControlGroup(candidates: ["/sys/fs/cgroup/memory" + path, "/sys/fs/cgroup/memory"], isUnified: false)
      }
      if parts[0] == "0" {
        let group = ControlGroup(candidates: ["/sys/fs/cgroup" + path, "/sys/fs/cgroup"], isUnified: true)
        if let group { return group }
      }
    }
    return nil
  }()

  /// - Parameter candidates: in a container the group may be mounted at the root.
  private init?(candidates: [String], isUnified: Bool) {
    let file = isUnified ? "/memory.current" : "/memory.usage_in_bytes"
    guard let directory = candidates.first(where: { access($0 + file, R_OK) == 0 }) else { return nil }
    self.directory = directory
    self.isUnified = isUnified
  }

  var usage: UInt64? { SmallFile.number(in: directory + (isUnified ? "/memory.current" : "/memory.usage_in_bytes")) }

  /// Nil when there is no limit.
  var limit: UInt64? {
    let limit = SmallFile.number(in: directory + (isUnified ? "/memory.max" : "/memory.limit_in_bytes"))
    // Version 1 writes "no limit" as the largest number of whole pages.
    return limit.flatMap { $0 > 1 << 60 ? nil : $0 }
  }

  /// How often the kernel has ended a process of this group because there was no memory left in it.
  var kills: UInt64? {
    // The group's own, where there are groups within it; kernels before 5.2 only count them together.
    let files = isUnified ? ["/memory.events.local", "/memory.events"] : ["/memory.oom_control"]
    let text = files.lazy.compactMap { SmallFile.read(directory + $0) }.first
    return text.flatMap { SmallFile.number(after: "oom_kill ", in: $0) }
  }
}
#endif
