/// How what a collector tells becomes what the runtime does.
extension SdkRuntime {
  /// Does what the document says, and tells the collector what it may ask for.
  func obeyControl() {
    guard let control else { return }
    // Before delivery goes on: it is to know what it may send.
    control.observe(UploadSection.self) { [weak self] in self?.follow($0) }
    control.observe(RecordingSection.self) { [weak self] section in
      guard let self else { return }
      recorder.isAllowed = section.isEnabled
      // Before delivery goes on: they look at what earlier launches left.
      if section.isEnabled { startSubsystems() }
      // What has been recorded is kept, and goes out when recording is switched on again.
      delivery?.setHeld(!section.isEnabled, by: .collector)
      followSwitches()
    }
    control.observe(SamplingSection.self) { [sampler] in sampler.setRate($0.sessionRate) }
    control.onCommand { [recorder] message in
      recorder.record(
        SdkLogEvent(level: .info, tag: "automobile.control", message: message, filterName: "automobile"))
    }
    BuiltInCommands.register(
      in: control.commands, launch: journal.launch.description,
      diagnostics: { [weak self] in self?.diagnostics },
      flush: { [recorder, delivery] in
        recorder.flush()
        delivery?.deliverNow()
      })
    control.start()
  }
}
