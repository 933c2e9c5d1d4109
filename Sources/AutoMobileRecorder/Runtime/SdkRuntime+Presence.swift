/// Off means off: while the app does not want the SDK, it observes nothing, keeps nothing, asks nobody and sends nothing.
/// What that means for each part, and for consent, is a table in `Documentation/Consent.md`.
extension SdkRuntime {
  /// The app's switch. Returns at once: nothing is recorded from here on, and the rest follows in the background.
  func setEnabled(_ enabled: Bool) {
    recorder.isEnabled = enabled
    followSwitches()
  }

  /// Has everything be as the switches are when its turn comes.
  func followSwitches() {
    presence.async { [weak self] in self?.follow() }
  }

  func follow() {
    guard !hasEnded.withLock({ $0 }) else { return }
    let isWanted = recorder.isWanted && !recorder.isShutDown
    if isWanted { begin() }
    // What is kept is kept again before anything is that could be.
    let consent = followedConsent.withLock { $0 }
    if isWanted {
      journal.resumeKeeping()
      erasers.permit()
    }
    setSubsystemsResting(!recorder.isRecording)
    // Parts in modules of their own rest in safe mode, too.
    presenceObservers.tell(recorder.isRecording && !isSafe)
    uploadObservers.tell(recorder.isRecording && !isSafe && consent == .granted)
    lifecycle?.recordingMayHaveBegun()
    if isWanted { identity?.goOn(in: context) } else { identity?.rest() }
    delivery?.setHeld(consent != .granted, by: .consent, isUrgent: true)
    // Its own end delivers what is there.
    guard !recorder.isShutDown else { return }
    delivery?.setHeld(!isWanted, by: .app, isUrgent: true)
    control?.setPaused(!isWanted || consent != .granted)
  }
}
