#if canImport(Darwin)
import AutoMobileRecorder
import AutoMobileJournal
import CAutoMobile
import Dispatch

/// The memory of this process, by the kernel's accounts.
enum SystemMemory {
  /// What the process uses, and, where the system tells, at how much it ends it.
  static func use() -> MemoryUse {
    let footprint = am_memory_footprint()
    let available = am_memory_available()
    let limit = available == 0 ? 0 : footprint.adding(saturating: available)
    return MemoryUse(footprint: footprint, limit: limit)
  }

  /// Calls back on a queue of its own when the system's memory becomes short or plenty.
  static func observePressure(_ onChange: @escaping @Sendable (MemoryUse.Level) -> Void) -> AnyObject? {
    let queue = BackgroundQueue.make("memory")
    let source = DispatchSource.makeMemoryPressureSource(eventMask: [.normal, .warning, .critical], queue: queue)
    source.setEventHandler { [weak source] in
      guard let event = source?.data else { return }
      onChange(event.contains(.critical) ? .critical : event.contains(.warning) ? .warning : .normal)
    }
    source.activate()
    return source
  }
}
#endif
