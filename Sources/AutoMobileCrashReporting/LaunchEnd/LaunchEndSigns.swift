/// What is known about the end of a launch, each thing taken by itself. ``LaunchEndDecision`` makes a verdict of it.
struct LaunchEndSigns: Equatable, Sendable {
  /// What the names of the boots, then and now, say.
  enum Boot: CaseIterable, Sendable {
    case same
    /// The device was started anew, and that may well be what ended the launch.
    case changed
    /// It was started anew long after the launch was last seen at work in the foreground.
    case changedLater
    case unknown
  }

  /// A crash report of the launch.
  var hasCrashReport = false
  /// A crash would have left a report.
  var capturesCrashes = true
  /// Its main thread was hanging.
  var wasHanging = false
  /// Where it was; nil when no state record is left.
  var stage: LaunchState.Stage? = .active
  var memory = MemoryUse.Level.normal
  /// The kernel has ended a process of its group for its memory since.
  var wasKilledForMemory = false
  var wasTraced = false
  var exit: LaunchState.Exit?
  var boot = Boot.same
  var appWasUpdated = false
  var systemWasUpdated = false
  /// People can end a process that is in use, as on a desktop or a server.
  var isDesktop = false
}
