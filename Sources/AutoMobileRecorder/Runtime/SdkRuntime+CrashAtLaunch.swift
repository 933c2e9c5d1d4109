/// What the launches before this one mean for its start.
extension SdkRuntime {
  /// The SDK reports crashes, and does nothing else on its own: see ``CrashLoopGuard``.
  var isSafe: Bool { crashLoopGuard.withLock { $0 }?.mode == .safe }

  /// Nil unless the last launch crashed in its first seconds, and its report may be delivered.
  func prepareForCrashAtLaunch() -> CrashAtLaunch? {
    guard crashLoopGuard.withLock({ $0 })?.crashedAtLaunch == true, delivery != nil, recorder.isRecording else {
      return nil
    }
    let crashAtLaunch = CrashAtLaunch()
    self.crashAtLaunch.withLock { $0 = crashAtLaunch }
    crashAtLaunch.prepare { [delivery] in delivery?.setHeld(false, by: .crashAtLaunch) }
    // Nothing that earlier launches left is to be on its way when the report is there.
    delivery?.setHeld(true, by: .crashAtLaunch)
    return crashAtLaunch
  }

  /// Has the report told now.
  func tell(_ crashAtLaunch: CrashAtLaunch) {
    crashAtLaunch.begin(
      look: { [earlierLaunches, postMortem] in earlierLaunches.first { postMortem?.lookForCrashes() } },
      deliver: { [delivery] completion in delivery?.deliverOwnFirst(completion) ?? completion() })
  }

  /// Holds the calling thread until the report of a crash at launch has been delivered, if there is one: two seconds at most.
  func waitForCrashAtLaunch() { crashAtLaunch.withLock { $0 }?.wait() }
}
