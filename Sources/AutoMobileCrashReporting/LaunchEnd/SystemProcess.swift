import AutoMobileRecorder
import AutoMobileSupport
import Foundation

/// What the kernel says about this process.
enum SystemProcess {
  #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  static let isDesktop = false
  #else
  static let isDesktop = true
  #endif

  #if canImport(Darwin)
  /// Asks `sysctl`, as Apple's Technical Q&A QA1361 describes it.
  static func isTraced() -> Bool {
    var query = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    guard sysctl(&query, u_int(query.count), &info, &size, nil, 0) == 0 else { return false }
    return info.kp_proc.p_flag & P_TRACED != 0
  }

  static func boot() -> String? {
    var text = [CChar](repeating: 0, count: 64)
    var size = text.count
    guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return nil }
    return text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
  #else
  static func isTraced() -> Bool {
    guard let status = SmallFile.read("/proc/self/status") else { return false }
    return (SmallFile.number(after: "TracerPid:", in: status) ?? 0) != 0
  }

  static func boot() -> String? {
    SmallFile.read("/proc/sys/kernel/random/boot_id")?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }
  #endif
}
