import AutoMobileRecorder

/// What ended a launch, decided from what is known: the first rule that applies has it.
///
/// | rule | verdict |
/// |---|---|
/// | there is a crash report | crash |
/// | `exit`, a return from `main`, `AutoMobileSDK.shutdown()` | clean exit |
/// | no state record is left | unknown |
/// | the kernel counts one more process that it ended for its memory | out of memory |
/// | the device was restarted | rebooted, or updated when the system was |
/// | a debugger was attached | debugger |
/// | memory was critical while in the foreground | out of memory |
/// | the main thread was hanging | hang kill |
/// | memory was critical | out of memory |
/// | the app has another version, or the system | updated |
/// | the end was announced | killed by the user; on a desktop a clean exit |
/// | memory was low, not on a desktop | out of memory |
/// | a crash would have left no trace | unknown |
/// | on a desktop | killed by the user |
/// | not active, as in the app switcher | killed by the user |
/// | in the background | unknown: the system ends suspended apps, and people swipe them away |
/// | in use | unknown |
///
/// Memory comes before a hang, because a process that is short of memory hangs for that reason. A hang comes before an
/// update, because nothing is updated while it is in use.
enum LaunchEndDecision {
  typealias Verdict = PreviousLaunchEnd.Verdict

  /// - Returns: the verdict, and why.
  static func decide(_ signs: LaunchEndSigns) -> (verdict: Verdict, evidence: String) {
    if signs.hasCrashReport { return (.crash, "there is a crash report") }
    switch signs.exit {
    case .exit: return (.cleanExit, "the process exited, by calling exit or returning from main")
    case .shutdown: return (.cleanExit, "the app had shut the SDK down; how the process ended later is not known")
    case .announced, nil: break
    }
    guard let stage = signs.stage else { return (.unknown, "no record of the app's last state was left") }
    if signs.wasKilledForMemory {
      return (.outOfMemory, "the kernel has since killed a process of the same group for its memory")
    }
    if signs.boot == .changed {
      return signs.systemWasUpdated
        ? (.updated, "the system was updated, and the device was restarted") : (.rebooted, "the device was restarted")
    }
    if signs.wasTraced { return (.debugger, "a debugger was attached") }
    if signs.memory == .critical, stage != .background {
      return (.outOfMemory, "memory was critical in the foreground")
    }
    if signs.wasHanging { return (.hangKill, "the main thread was blocked") }
    if signs.memory == .critical { return (.outOfMemory, "memory was critical in the background") }
    if signs.appWasUpdated { return (.updated, "the app was updated") }
    if signs.systemWasUpdated { return (.updated, "the system was updated") }
    return withoutMark(signs, stage)
  }

  /// The process was there, and then it was not.
  private static func withoutMark(
    _ signs: LaunchEndSigns, _ stage: LaunchState.Stage
  ) -> (verdict: Verdict, evidence: String) {
    if signs.exit == .announced {
      return signs.isDesktop
        ? (.cleanExit, "the system had announced the termination")
        : (.userKill, "the system had announced the termination")
    }
    if signs.memory == .warning, !signs.isDesktop { return (.outOfMemory, "memory was low") }
    guard signs.capturesCrashes else {
      return (.unknown, "no cause is known, and crashes were not captured")
    }
    if signs.isDesktop {
      let ruledOut = signs.memory == .warning ? "no crash or hang" : "no crash, hang or memory pressure"
      return (.userKill, "process killed from outside; \(ruledOut)")
    }
    switch stage {
    case .inactive:
      return (.userKill, "swiped away, or killed from outside while not active; no crash, hang or memory pressure")
    case .background:
      return (.unknown, "ended in the background, where the system ends suspended apps and users swipe them away")
    case .active: return (.unknown, "ended while in use; no crash, hang or memory pressure")
    }
  }
}
