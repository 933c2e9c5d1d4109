import AutoMobileRecorder

/// What ended a launch, decided from what is known: the first rule that applies has it.
///
/// | rule | verdict |
/// |---|---|
/// | there is a crash report | crash |
/// | `exit`, a return from `main`, `AutoMobileSDK.shutdown()` | clean exit |
/// | no state record is left | unknown |
/// | the kernel counts one more process that it ended for its memory | out of memory |
/// | the device was started anew | rebooted, or updated when the system was |
/// | a debugger was attached | debugger |
/// | memory was critical while in the foreground | out of memory |
/// | the main thread was hanging | hang kill |
/// | memory was critical | out of memory |
/// | the app has another version, or the system | updated |
/// | the end was announced | killed by the user; on a desktop a clean exit |
/// | memory was short, not on a desktop | out of memory |
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
    case .exit: return (.cleanExit, "the process ended itself, by exit or by returning from main")
    case .shutdown: return (.cleanExit, "the app had shut the SDK down; how the process ended later is not known")
    case .announced, nil: break
    }
    guard let stage = signs.stage else { return (.unknown, "nothing is left that says what state the app was in") }
    if signs.wasKilledForMemory {
      return (.outOfMemory, "the kernel has since ended a process of the same group for its memory")
    }
    if signs.boot == .changed {
      return signs.systemWasUpdated
        ? (.updated, "the system was updated, and the device started anew") : (.rebooted, "the device was started anew")
    }
    if signs.wasTraced { return (.debugger, "a debugger was attached") }
    if signs.memory == .critical, stage != .background {
      return (.outOfMemory, "memory was critical in the foreground")
    }
    if signs.wasHanging { return (.hangKill, "the main thread was hanging") }
    if signs.memory == .critical { return (.outOfMemory, "memory was critical in the background") }
    if signs.appWasUpdated { return (.updated, "the app has another version now") }
    if signs.systemWasUpdated { return (.updated, "the system has another version now") }
    return withoutMark(signs, stage)
  }

  /// The process was there, and then it was not.
  private static func withoutMark(
    _ signs: LaunchEndSigns, _ stage: LaunchState.Stage
  ) -> (verdict: Verdict, evidence: String) {
    if signs.exit == .announced {
      return signs.isDesktop
        ? (.cleanExit, "the system had announced the end") : (.userKill, "the system had announced the end")
    }
    if signs.memory == .warning, !signs.isDesktop { return (.outOfMemory, "memory was short") }
    guard signs.capturesCrashes else {
      return (.unknown, "it ended without notice, and crashes were not captured")
    }
    if signs.isDesktop { return (.userKill, "process killed from outside; no crash, hang or memory pressure") }
    switch stage {
    case .inactive: return (.userKill, "it ended while not active, as when it is swiped away: no crash, no hang")
    case .background:
      return (.unknown, "it ended in the background, where the system ends suspended apps and people swipe them away")
    case .active: return (.unknown, "it ended while in use: no crash, no hang, no shortage of memory was seen")
    }
  }
}
