import AutoMobileJournal
import Foundation

/// How what is recorded leaves the device, and what a collector says in return.
struct DeliveryParts {
  /// Nil where nothing is delivered.
  private(set) var worker: DeliveryWorker?
  /// By which a collector tells the SDK something; nil when none can.
  private(set) var control: ControlChannel?
  /// Who decides what is delivered.
  private(set) var keeper: UploadKeeper?
  /// What of replays goes, whoever brings them.
  let replay: ReplayStretches
  /// Why nothing is delivered, although an endpoint is configured.
  private(set) var error: EndpointError?

  init(
    _ configuration: AutoMobileConfiguration, _ place: RecordingPlace, _ environment: SdkEnvironment,
    journal: Journal, earlierLaunches: EarlierLaunches, processors: EventProcessors, consent: ConsentKeeper
  ) {
    let said: ReplayStretches.Holding =
      switch configuration.upload {
      case .everything: .everything
      case .whenTriggered(let rules): .named(keepDays: rules.keepDays)
      }
    let replay = ReplayStretches(directory: place.directory, owner: place.owner, holding: said)
    self.replay = replay
    do {
      guard
        var options = try DeliveryOptions(
          configuration, bundleId: place.bundleId, directory: place.directory, environment: environment)
      else { return }
      // Another process may hear first that the user has changed their mind.
      options.maySend = { consent.maySend }
      options.memory = ReceiverMemory(directory: place.directory, owner: place.owner)
      if environment.hasControlChannel {
        let control = ControlChannel(options, configuration, place, environment, launch: journal.launch)
        // Until the channel has read what it was told last.
        options.holds.insert(.collector)
        // It may say how long things are kept.
        journal.holdExpiry()
        replay.follow(.unknown)
        options.onAnswer = { [weak control] in control?.note($0, from: $1) }
        self.control = control
      }
      if let directory = environment.predecessorDirectory {
        let predecessor = PredecessorEvents(in: directory, journal: journal, processors: processors)
        options.takeOver = { predecessor.takeOver() }
      }
      let keeper = UploadKeeper(journal: journal, directory: place.directory, owner: place.owner)
      // Before anybody can wake the worker. What a collector has said comes later, and until then nothing is sent.
      if configuration.upload != .everything { keeper.follow(configuration.upload) }
      keeper.replay = replay
      replay.awaitLook()
      options.keeper = keeper
      self.keeper = keeper
      let networks = configuration.delivery.networks
      worker = DeliveryWorker(
        journal: journal, options: options, transport: LazyTransport { URLSessionTransport(networks: networks) },
        beforeEarlier: { earlierLaunches.look() })
    } catch {
      self.error = error
    }
  }
}

extension ControlChannel {
  /// The channel of an SDK that delivers as `delivery` says.
  convenience init(
    _ delivery: DeliveryOptions, _ configuration: AutoMobileConfiguration, _ place: RecordingPlace,
    _ environment: SdkEnvironment, launch: LaunchID
  ) {
    var endpoint: DeliveryEndpoint?
    var simulator: SimulatorReceiver?
    switch delivery.destination {
    case .endpoint(let known): endpoint = known
    case .simulator(let found): simulator = found
    }
    var options = ControlOptions(
      bundleId: delivery.sender.bundleId, launch: launch, sdkVersion: delivery.sender.sdkVersion, endpoint: endpoint,
      simulator: simulator, apiKey: delivery.apiKey,
      // Which of this machine's receivers serves a simulator changes from launch to launch.
      cache: ControlCache(
        directory: place.directory, owner: place.owner, endpoint: endpoint?.events.absoluteString ?? "simulator"),
      commands: environment.isDebugBuild ? configuration.remoteCommands : .none)
    let networks = configuration.delivery.networks
    options.maySend = delivery.maySend
    self.init(
      options: options, transport: LazyTransport { URLSessionTransport(networks: networks) },
      pollTransport: LazyTransport { URLSessionTransport(networks: networks) })
  }
}
