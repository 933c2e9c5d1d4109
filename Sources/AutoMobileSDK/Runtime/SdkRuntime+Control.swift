import AutoMobileJournal
import Foundation

/// How what a collector tells becomes what the runtime does.
extension SdkRuntime {
  /// The channel of an SDK that delivers to `options`; nil when no collector may tell it anything.
  static func controlChannel(
    _ delivery: DeliveryOptions?, _ configuration: AutoMobileConfiguration, owner: String, directory: URL,
    launch: LaunchID, _ environment: SdkEnvironment
  ) -> ControlChannel? {
    guard environment.hasControlChannel, let delivery else { return nil }
    var endpoint: DeliveryEndpoint?
    var simulator: SimulatorReceiver?
    switch delivery.destination {
    case .endpoint(let known): endpoint = known
    case .simulator(let found): simulator = found
    }
    let options = ControlOptions(
      bundleId: delivery.sender.bundleId, launch: launch, sdkVersion: delivery.sender.sdkVersion, endpoint: endpoint,
      simulator: simulator, apiKey: delivery.apiKey,
      // Which of this machine's receivers serves a simulator changes from launch to launch.
      cache: ControlCache(
        directory: directory, owner: owner, endpoint: endpoint?.events.absoluteString ?? "simulator"),
      commands: environment.isDebugBuild ? configuration.remoteCommands : .none)
    return ControlChannel(
      options: options, transport: LazyTransport { URLSessionTransport() },
      pollTransport: LazyTransport { URLSessionTransport() })
  }

  /// Does what the document says, and tells the collector what it may ask for.
  func obeyControl() {
    guard let control else { return }
    control.observe(RecordingSection.self) { [weak self] section in
      guard let self else { return }
      recorder.isAllowed = section.isEnabled
      // Before delivery goes on: they look at what earlier launches left.
      if section.isEnabled { startSubsystems() }
      // What has been recorded is kept, and goes out when recording is switched on again.
      delivery?.setHeld(!section.isEnabled)
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
        delivery?.retryNow()
      })
    control.start()
  }
}
