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
          // The receiver knows whose session it is.
          if summary.sameAs != nil { return recorder.record(summary, ofLaunch: nil, in: .none).isSettled }
          // A session of this launch that goes on has the context that holds now.
          let outcome =
            launch == journal.launch && !summary.isFinal
            ? recorder.outcome(ofRecording: summary)
            : recorder.outcome(ofRecording: summary, of: launch, contextId: contextId)
          return outcome.isSettled
        }, isRecording: { [weak recorder] in recorder?.isRecording ?? false }))
  }

  /// Follows what a collector says. On the control channel's queue.
  func follow(_ section: UploadSection) {
    let policy = section.policy ?? configuration.upload
    // Of a device that sends everything there is nothing to ask for.
    var asker: (@Sendable () -> String)?
    if policy != .everything { asker = { [context] in context.asker } }
    delivery?.follow(policy, asks: section.asks, refused: section.refused, asker: asker)
    control?.setAsker(asker)
  }
}

extension RecordOutcome {
  /// The event was recorded, or it is not to be.
  fileprivate var isSettled: Bool { self == .recorded || self == .unwanted }
}
