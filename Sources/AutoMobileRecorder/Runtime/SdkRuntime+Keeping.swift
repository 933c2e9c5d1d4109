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

  /// Follows what a collector says.
  func follow(_ section: UploadSection) {
    delivery?.follow(section.policy ?? configuration.upload, asks: section.asks, refused: section.refused)
  }
}
