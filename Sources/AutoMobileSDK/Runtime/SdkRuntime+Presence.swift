/// Off means off: while the app does not want the SDK, it observes nothing, keeps nothing, asks nobody and sends nothing.
///
/// | | switched off by the app | by the collector |
/// |---|---|---|
/// | events | counted as `disabled` | the same |
/// | subsystems, the system's state | observe nothing | the same |
/// | delivery | nothing, not even what was recorded before | the same |
/// | configuration, commands | asked for by nobody | asked for, or it could not be revived |
/// | replay, network log | a replay ends; what is left of it is uploaded when the SDK is on again. No request is logged | the same |
/// | files, identity | when it was off from the beginning: none are made | none are made |
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
