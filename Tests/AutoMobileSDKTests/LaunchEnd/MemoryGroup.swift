#if os(Linux)
import Foundation

/// A control group with little memory, where this process may make one.
struct MemoryGroup {
  let path: String

  private static let isUnified = access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0
  private static let parent = isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"

  static var isPossible: Bool {
    guard getuid() == 0, let group = try? MemoryGroup(limit: 1 << 30) else { return false }
    defer { group.remove() }
    let usage = isUnified ? "/memory.current" : "/memory.usage_in_bytes"
    return access(group.path + usage, R_OK) == 0
  }

  init(limit: Int) throws {
    path = "\(Self.parent)/automobile-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    do {
      let file = Self.isUnified ? "/memory.max" : "/memory.limit_in_bytes"
      try "\(limit)".write(toFile: path + file, atomically: false, encoding: .utf8)
      // What is swapped out is not missed. Where there is no swap there may be no such file.
      let swap = Self.isUnified ? ("/memory.swap.max", "0") : ("/memory.memsw.limit_in_bytes", "\(limit)")
      try? swap.1.write(toFile: path + swap.0, atomically: false, encoding: .utf8)
    } catch {
      remove()
      throw error
    }
  }

  func remove() { rmdir(path) }
}
#endif
