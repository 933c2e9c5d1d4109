import AutoMobileJournal

/// How it is decided what leaves the device.
extension SdkRuntime {
  /// Has sessions told, where not everything is sent.
  func startKeeping() {
    keeper?.setHost(
      UploadKeeper.Host(
        // The recorder wakes delivery, which has the keeper.
        record: { [weak recorder, journal] summary, launch, contextId in
          guard let recorder else { return false }
          if launch == journal.launch {
            // A session of this launch that goes on has the context that holds now.
            if !summary.isFinal { return recorder.outcome(ofRecording: summary) == .recorded }
          }
          return recorder.outcome(ofRecording: summary, of: launch, contextId: contextId) == .recorded
        }, isRecording: { [weak recorder] in recorder?.isRecording ?? false }))
  }

  /// Follows what a collector says. On the control channel's queue.
  func follow(_ section: UploadSection) {
    let policy = section.policy ?? configuration.upload
    delivery?.follow(policy, asks: section.asks, refused: section.refused)
    // Of a device that sends everything there is nothing to ask for.
    var asker: (@Sendable () -> String)?
    if policy != .everything { asker = { [context] in context.asker } }
    control?.setAsker(asker)
  }
}
