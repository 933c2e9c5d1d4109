import AutoMobileJournal
import AutoMobileSupport
import Foundation

/// An initialized SDK: its parts, put together. It has no global state; tests make as many as they like.
package final class SdkRuntime: Sendable {
  let bundleId: String?
  let configuration: AutoMobileConfiguration
  let context: SdkContext
  let contexts: ContextWriter
  let sessions: SessionTracker
  let recorder: EventRecorder
  let buffer: SdkEventBuffer
  let drops: any DropCounting
  let breadcrumbs: JournalBreadcrumbs
  let earlierLaunches: EarlierLaunches
  /// Nil where nobody tells how earlier launches ended.
  package let postMortem: (any PostMortem)?
  let currentScreen: CurrentScreen
  let sampler: SessionSampler
  /// Nil where nothing is kept over launches.
  let identity: Identity?
  let lifecycle: LifecycleTracker?
  /// By which a collector tells the SDK something; nil when none can.
  let control: ControlChannel?

  let journal: Journal
  let directory: URL
  let delivery: DeliveryWorker?
  /// Decides what is delivered; nil where nothing is.
  let keeper: UploadKeeper?
  /// What of replays may go.
  let replayStretches: ReplayStretches
  /// Nil until there is a start to guard, and where none is guarded.
  let crashLoopGuard: Locked<CrashLoopGuard?>
  private let makeCrashLoopGuard: @Sendable () -> CrashLoopGuard?
  let crashAtLaunch = Locked<CrashAtLaunch?>(nil)
  let startWork: StartWork
  /// Where everything is made as the switches are, one change after the other.
  let presence = BackgroundQueue.make("presence")
  let presenceObservers: PresenceObservers
  /// Told whether anything may leave the device.
  let uploadObservers: PresenceObservers
  let erasers: Erasers
  /// Decisions about consent, and what follows from them.
  let erasures = OneAfterTheOther()
  /// The last decision that has been, or is being, carried out. What has been said since has to wait for its turn.
  let followedConsent: Locked<Consent>
  let consent: ConsentKeeper
  let place: RecordingPlace
  private let hasBegun = Locked(false)
  /// The work of its start is under way, or done.
  var hasStarted: Bool { hasBegun.withLock { $0 } }
  /// Another one has the subsystems.
  let hasEnded = Locked(false)
  /// Why events are not delivered, although an endpoint is configured.
  let endpointError: EndpointError?
  private let allSubsystems: [SdkEnvironment.Subsystem]
  /// Those that there are in this launch.
  var subsystems: [SdkEnvironment.Subsystem] {
    isSafe ? allSubsystems.filter { $0.name == .crashes } : allSubsystems
  }
  let wantedSubsystems: Locked<(names: AutoMobileSubsystems, haveStarted: Bool, rest: Bool)>
  let environment: SdkEnvironment
  private let launchEndAnnouncement: LaunchEndAnnouncement
  #if canImport(UIKit) && !os(watchOS)
  private let applicationState: ApplicationStateObserver
  #endif

  /// Opens the journal, and looks at nothing that earlier launches left. Nothing runs before ``start()``.
  ///
  /// - Throws: when not even memory could be had for the journal.
  init(
    place: RecordingPlace, configuration: AutoMobileConfiguration, environment: SdkEnvironment,
    processors: EventProcessors, observers: BatchObservers, currentScreen: CurrentScreen,
    crashLoopGuard: CrashLoopGuard? = nil, launchEndAnnouncement: LaunchEndAnnouncement,
    presenceObservers: PresenceObservers = PresenceObservers(),
    uploadObservers: PresenceObservers = PresenceObservers(),
    erasers: Erasers = Erasers(),
    consent: ConsentKeeper = ConsentKeeper(nil, said: .granted, configured: .granted), isEnabled: Bool = true
  ) throws {
    let bundleId = place.bundleId
    let directory = place.directory
    var journalOptions = JournalOptions(configuration, place, environment)
    let isDenied = consent.current == .denied
    journalOptions.startsInMemory = !isEnabled || isDenied
    let journal = try Journal(journalOptions, isKept: false)

    let contexts = ContextWriter(journal: journal, bundleId: bundleId, device: environment.device)
    let identity = environment.makeStore.map { Identity(store: $0(), erasedAt: consent.erasedAt) }
    let launchSession = environment.makeLaunchSessionId(journal.launch)
    let known = ContextState(
      sessionId: launchSession, userId: isDenied ? nil : identity?.storedUserId,
      anonymousId: isDenied ? nil : identity?.anonymousId, appVersion: environment.appVersion)
    let context = SdkContext(known, user: identity) { contexts.update(from: $0) }
    // What is known of the user is written down when something may be.
    if !isEnabled || isDenied { contexts.rest() }
    contexts.update(from: context)

    let guardian = Locked(crashLoopGuard)
    let earlierLaunches = EarlierLaunches(journal: journal) { step in
      guardian.withLock { $0 }?.enter("\(step) of earlier launches")
    }
    let parts = DeliveryParts(
      configuration, place, environment, journal: journal, earlierLaunches: earlierLaunches,
      processors: processors, consent: consent)
    let delivery = parts.worker
    let control = parts.control
    let tap = BatchTap(
      journal: journal, observers: observers, bundleId: bundleId, contextJSON: contexts.json(of:),
      notifications: configuration.postsBatchNotifications ? environment.notificationCenter() : nil)
    let onFlush = Locked<(@Sendable () -> Void)?>(nil)
    let scheduler = FlushScheduler(
      capacity: configuration.bufferSize, intervalMs: configuration.flushIntervalMs,
      timerFactory: environment.makeTimer
    ) {
      tap.passOn()
      delivery?.wake()
      onFlush.withLock { $0 }?()
    }

    self.bundleId = bundleId
    self.configuration = configuration
    self.directory = directory
    self.journal = journal
    self.context = context
    self.contexts = contexts
    self.identity = identity
    self.delivery = delivery
    keeper = parts.keeper
    replayStretches = parts.replay
    self.crashLoopGuard = guardian
    makeCrashLoopGuard = { CrashLoopGuard(place, environment) }
    startWork = StartWork { stage in guardian.withLock { $0 }?.enter(stage) }
    endpointError = parts.error
    self.earlierLaunches = earlierLaunches
    self.currentScreen = currentScreen
    allSubsystems = environment.subsystems
    wantedSubsystems = Locked((configuration.subsystems, false, false))
    self.environment = environment
    self.launchEndAnnouncement = launchEndAnnouncement
    self.presenceObservers = presenceObservers
    self.uploadObservers = uploadObservers
    self.erasers = erasers
    self.consent = consent
    followedConsent = Locked(consent.current)
    self.place = place
    recorder = EventRecorder(journal: journal, context: contexts, scheduler: scheduler, processors: processors)
    recorder.isEnabled = isEnabled
    recorder.isDenied = isDenied
    buffer = SdkEventBuffer(recorder: recorder)
    lifecycle = Self.lifecycle(
      environment, identity, context, recorder, isEnabled: configuration.subsystems.contains(.lifecycleEvents))
    drops = JournalDropCounter(journal: journal)
    self.control = control
    // Before anything can be recorded; the document itself is read later, on the channel's queue.
    if control?.wasSwitchedOff == true { recorder.isAllowed = false }
    let sampler = SessionSampler(launch: journal.launch.description, recorder: recorder)
    sampler.setSession(launchSession)
    self.sampler = sampler
    let sessionLock = Locked(())
    sessions = SessionTracker(
      launchSession: launchSession, timeoutMs: configuration.sessionTimeoutMs, uuidProvider: environment.makeSessionId,
      timerFactory: environment.makeTimer, clock: Clocks.continuousMilliseconds
    ) { tracker in
      // One at a time, so that the context ends up with the session that is current.
      sessionLock.withLock { _ in
        let session = tracker.currentSessionId()
        sampler.setSession(session)
        context.sessionId = session
      }
    }
    breadcrumbs = JournalBreadcrumbs(journal: journal, limit: configuration.maxBreadcrumbs)
    postMortem = environment.makePostMortem?(
      PostMortemHost(
        bundleId: bundleId, appVersion: environment.appVersion, osVersion: environment.device.osVersion,
        maxBreadcrumbs: configuration.maxBreadcrumbs, journal: journal, directory: directory, recorder: recorder,
        earlierLaunches: earlierLaunches, announcement: launchEndAnnouncement, makeTimer: environment.makeTimer))
    #if canImport(UIKit) && !os(watchOS)
    // A wait that began before the app went away says nothing about the network that it comes back to.
    let maySend: @Sendable () -> Bool = { [recorder] in recorder.isRecording && consent.current == .granted }
    let background = delivery.map { BackgroundDelivery($0, isWanted: maySend) }
    applicationState = ApplicationStateObserver(
      tracker: sessions,
      onForeground: {
        delivery?.retryNow()
        control?.cameToForeground()
        onFlush.withLock { $0 }?()
      },
      onBackground: {
        control?.wentToBackground()
        background?.run()
      })
    #endif
    onFlush.withLock { $0 = { [weak self] in self?.lookAtConsent() } }
    consent.onRefusal { [weak self] in self?.lookAtConsent(isUrgent: true) }
    recorder.onDenied.withLock { $0 = { [weak self] in self?.lookAtConsent() } }
    recorder.owner.withLock {
      $0 = { [weak self] said in
        switch said {
        case .enabled(let enabled): self?.setEnabled(enabled)
        case .shutdown: self?.shutdown()
        }
      }
    }
  }

  /// The steps of initialization that need the parts; none of them while the app does not want the SDK.
  func start() {
    if consent.isUnkept {
      presence.async { [consent] in
        consent.keep(erasedAt: consent.current == .denied ? Clocks.millisecondsSince1970() : nil)
      }
    }
    if consent.current != .granted {
      delivery?.setHeld(true, by: .consent)
      control?.setPaused(true)
    }
    // Before anything of earlier launches is looked at, let alone sent.
    if consent.isErasureLeft, consent.current != .denied { endErasureOfAnotherOne() }
    if recorder.isWanted { return begin() }
    restSubsystems()
    delivery?.setHeld(true, by: .app)
    followSwitches()
    // What an earlier launch left, or could not erase any more.
    if consent.current == .denied { eraseWhatIsDenied() }
  }

  /// Subsystems, session, and what earlier launches left. Only the first call does anything.
  func begin() {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard isFirst, mayBegin() else { return }
    let crashAtLaunch = prepareForCrashAtLaunch()
    #if canImport(UIKit) && !os(watchOS)
    // First, so that a session has begun when the others hear that the app is in the foreground.
    applicationState.start()
    #endif
    // Switched off by the collector, the SDK does as little as it can, until it is told otherwise.
    if recorder.isAllowed { startSubsystems() } else { restSubsystems() }
    startWork.whenFinished { [crashLoopGuard] in crashLoopGuard.withLock { $0 }?.succeeded() }
    #if !canImport(UIKit) || os(watchOS)
    // Nobody tells here when an app comes to the foreground: it is there.
    sessions.onForeground()
    #endif
    if !isSafe { startIdentity() }
    startKeeping()
    obeyControl()
    delivery?.wake()
    startWork.seal()
    presence.async { [erasers, consent] in
      if consent.current != .denied { erasers.permit() }
    }
    // An SDK before this one in the process may have been shut down.
    if !presenceObservers.isPresent || isSafe { followSwitches() }
    // A thread that does not wait for its turn: it comes last, because it maps and touches memory.
    journal.startKeeping()
    crashAtLaunch.map { tell($0) }
    crashLoopGuard.withLock { $0 }?.returned()
  }

  /// Whether the launches before allow it. A start that comes later than initialization is guarded as well.
  private func mayBegin() -> Bool {
    let guardian = crashLoopGuard.withLock { $0 } ?? makeCrashLoopGuard()
    crashLoopGuard.withLock { $0 = guardian }
    guard guardian?.mode == .off else { return true }
    // Nothing follows from any switch from here on.
    hasEnded.withLock { $0 = true }
    recorder.isAllowed = false
    launchEndAnnouncement.decide(nil)
    return false
  }

  func startLaunchEnd() {
    if isSafe || postMortem?.begin() != true { launchEndAnnouncement.decide(nil) }
  }

  /// Calls back when the background work of the start is done: on a queue of the SDK's, or now.
  func whenStarted(_ body: @escaping @Sendable () -> Void) { startWork.whenFinished(body) }

  /// For tests: as if the process had not started anything.
  func reset() {
    hasEnded.withLock { $0 = true }
    if recorder.shutdown() { stopParts() }
    delivery?.stop(within: Self.deliveryAfterShutdown)
    crashLoopGuard.withLock { $0 }?.abandon()
    crashAtLaunch.withLock { $0 }?.end()
    subsystems.forEach { $0.reset() }
  }

  /// How long delivery may go on after a shutdown, in milliseconds.
  private static let deliveryAfterShutdown: Int64 = 5000

  /// Records and observes nothing more, and delivers what is there as far as that goes quickly. Returns at once.
  ///
  /// - Parameter completion: called once, on any thread, when delivery is over.
  func shutdown(completion: @escaping @Sendable () -> Void = {}) {
    if recorder.shutdown() {
      stopParts()
      setSubsystemsResting(true)
      followSwitches()
    }
    guard let delivery else { return completion() }
    delivery.stop(within: Self.deliveryAfterShutdown, completion: completion)
  }

  private func stopParts() {
    #if canImport(UIKit) && !os(watchOS)
    applicationState.stop()
    #endif
    lifecycle?.stop()
    sessions.shutdown()
    postMortem?.noteShutdown()
    earlierLaunches.stop()
    control?.stop()
    launchEndAnnouncement.decide(nil)
  }
}

extension JournalOptions {
  /// How many notes on requests that have begun the journal keeps, also when all else has been delivered.
  package static let requestsKept = 256

  fileprivate init(_ configuration: AutoMobileConfiguration, _ place: RecordingPlace, _ environment: SdkEnvironment) {
    self.init(directory: place.directory, owner: place.owner)
    singleInstance = environment.isSingleInstance
    budget = configuration.journalBudget
    retained = [
      RetainedRecords(JournalBreadcrumbs.kinds, count: configuration.maxBreadcrumbs),
      RetainedRecords(RecordKinds(.state).union(.provisionalHang), count: 64),
      RetainedRecords(RecordKinds(.provisionalRequest), count: Self.requestsKept),
    ]
  }
}
