/// What the system says about this process: asked on a background queue.
package struct ProcessProbe: Sendable {
  var memory: @Sendable () -> MemoryUse
  /// Whether a debugger is attached, or another process traces this one.
  var isTraced: @Sendable () -> Bool
  /// Whether a crash would leave a report now.
  var capturesCrashes: @Sendable () -> Bool
  /// Names the boot of the machine; nil when the system has no such name.
  var boot: @Sendable () -> String?
  /// People can end a process that is in use, as on a desktop or a server.
  var isDesktop: Bool
  /// Calls back when the system's memory becomes short or plenty, and gives back what to hold meanwhile.
  var observePressure: @Sendable (_ onChange: @escaping @Sendable (MemoryUse.Level) -> Void) -> AnyObject?

  package static let system = ProcessProbe(
    memory: SystemMemory.use, isTraced: SystemProcess.isTraced,
    capturesCrashes: { AutoMobileCrashes.shared.capturesSignals }, boot: SystemProcess.boot,
    isDesktop: SystemProcess.isDesktop, observePressure: SystemMemory.observePressure)
}
