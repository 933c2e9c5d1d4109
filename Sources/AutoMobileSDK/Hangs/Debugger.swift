import Foundation

/// Whether a debugger holds this process.
enum Debugger {
  /// A system call or two; neither locks nor allocates.
  static var isAttached: Bool {
    #if canImport(Darwin)
    var info = kinfo_proc()
    var size = MemoryLayout<kinfo_proc>.stride
    // No array: it would need memory, which the main thread may have locked.
    var name = (CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid())
    let result = withUnsafeMutableBytes(of: &name) {
      sysctl($0.baseAddress?.assumingMemoryBound(to: Int32.self), 4, &info, &size, nil, 0)
    }
    return result == 0 && info.kp_proc.p_flag & P_TRACED != 0
    #else
    let file = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // The line is among the first ten. A kilobyte is what comes from the stack.
    return withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      return count > 0 && isTraced(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    #endif
  }

  /// - Parameter status: of `/proc/self/status`, whose line `TracerPid:` names the process that traces this one.
  static func isTraced(_ status: some Collection<UInt8>) -> Bool {
    var rest = status[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      if rest.starts(with: "TracerPid:".utf8) {
        return rest[..<end].contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
      }
      rest = rest[rest.index(after: end)...]
    }
    return false
  }
}
