import AutoMobileJournal
import Foundation

/// An initialized SDK: its parts, put together. It has no global state; tests make as many as they like.
final class SdkRuntime: Sendable {
  let bundleId: String?
  let configuration: AutoMobileConfiguration
  let context: SdkContext
  let sessions: SessionTracker
  let recorder: EventRecorder
  let buffer: SdkEventBuffer
  let drops: any DropCounting
  let breadcrumbs: JournalBreadcrumbs
  let earlierLaunches: EarlierLaunches
  private let currentScreen: CurrentScreen

  let journal: Journal
  let directory: URL
  let delivery: DeliveryWorker?
  /// Why events are not delivered, although an endpoint is configured.
  let endpointError: EndpointError?
  private let subsystems: [SdkEnvironment.Subsystem]
  #if canImport(UIKit) && !os(watchOS)
  private let applicationState: ApplicationStateObserver
  #endif

  /// Opens the journal, and looks at nothing that earlier launches left. Nothing runs before ``start()``.
  ///
  /// - Throws: when not even memory could be had for the journal.
  init(
    bundleId: String?, configuration: AutoMobileConfiguration, environment: SdkEnvironment,
    processors: EventProcessors, observers: BatchObservers, currentScreen: CurrentScreen
  ) throws {
    let bundleId = bundleId ?? environment.bundleId
    let directory = configuration.storage.resolved() ?? FileManager.default.temporaryDirectory
    let journal = try Journal(
      JournalOptions(configuration, owner: bundleId ?? environment.processName, directory: directory, environment))

    let contexts = ContextWriter(journal: journal, bundleId: bundleId, device: environment.device)
    let context = SdkContext(ContextState(appVersion: environment.appVersion)) { contexts.update(from: $0) }
    contexts.update(from: context)

    let sessionLock = Locked(())
    sessions = SessionTracker(
      timeoutMs: configuration.sessionTimeoutMs, uuidProvider: environment.makeSessionId,
      timerFactory: environment.makeTimer, clock: Clocks.continuousMilliseconds
    ) { tracker in
      // One at a time, so that the context ends up with the session that is current.
      sessionLock.withLock { _ in context.sessionId = tracker.currentSessionId() }
    }

    let earlierLaunches = EarlierLaunches(journal: journal)
    let (delivery, endpointError) = Self.delivery(
      journal, configuration, bundleId, directory, environment, earlierLaunches)
    let tap = BatchTap(
      journal: journal, observers: observers, bundleId: bundleId, contextJSON: contexts.json(of:),
      notifications: configuration.postsBatchNotifications ? environment.notificationCenter() : nil)
    let scheduler = FlushScheduler(
      capacity: configuration.bufferSize, intervalMs: configuration.flushIntervalMs,
      timerFactory: environment.makeTimer
    ) {
      tap.passOn()
      delivery?.wake()
    }

    self.bundleId = bundleId
    self.configuration = configuration
    self.directory = directory
    self.journal = journal
    self.context = context
    self.delivery = delivery
    self.endpointError = endpointError
    self.earlierLaunches = earlierLaunches
    self.currentScreen = currentScreen
    subsystems = environment.subsystems
    recorder = EventRecorder(journal: journal, context: contexts, scheduler: scheduler, processors: processors)
    buffer = SdkEventBuffer(recorder: recorder)
    drops = JournalDropCounter(journal: journal)
    breadcrumbs = JournalBreadcrumbs(journal: journal, limit: configuration.maxBreadcrumbs)
    #if canImport(UIKit) && !os(watchOS)
    // A wait that began before the app went away says nothing about the network that it comes back to.
    applicationState = ApplicationStateObserver(tracker: sessions) { delivery?.retryNow() }
    #endif
  }

  /// The steps of initialization that need the parts: subsystems, session, and what earlier launches left.
  func start() {
    let host = SubsystemHost(
      bundleId: bundleId, configuration: configuration, buffer: buffer, context: context, breadcrumbs: breadcrumbs,
      journal: journal, directory: directory, earlierLaunches: earlierLaunches, currentScreen: currentScreen)
    subsystems.forEach { $0.start(host) }
    earlierLaunches.start()
    #if canImport(UIKit) && !os(watchOS)
    applicationState.start()
    #else
    // Nobody tells here when an app comes to the foreground: it is there.
    sessions.onForeground()
    #endif
    delivery?.wake()
  }

  /// For tests: as if the process had not started anything.
  func reset() {
    shutdown()
    subsystems.forEach { $0.reset() }
  }

  /// How long delivery may go on after a shutdown, in milliseconds.
  private static let deliveryAfterShutdown: Int64 = 5000

  /// Records nothing more, and delivers what is there as far as that goes quickly. Returns at once.
  func shutdown() {
    guard recorder.shutdown() else { return }
    #if canImport(UIKit) && !os(watchOS)
    applicationState.stop()
    #endif
    sessions.shutdown()
    earlierLaunches.stop()
    delivery?.stop(within: Self.deliveryAfterShutdown)
  }

  private static func delivery(
    _ journal: Journal, _ configuration: AutoMobileConfiguration, _ bundleId: String?, _ directory: URL,
    _ environment: SdkEnvironment, _ earlierLaunches: EarlierLaunches
  ) -> (DeliveryWorker?, EndpointError?) {
    do {
      let options = try DeliveryOptions(
        configuration, bundleId: bundleId, directory: directory, environment: environment)
      let transport = LazyTransport { URLSessionTransport() }
      let worker = options.map {
        DeliveryWorker(
          journal: journal, options: $0, transport: transport, beforeEarlier: { earlierLaunches.look() })
      }
      return (worker, nil)
    } catch {
      return (nil, error)
    }
  }
}

extension JournalOptions {
  fileprivate init(
    _ configuration: AutoMobileConfiguration, owner: String, directory: URL, _ environment: SdkEnvironment
  ) {
    self.init(directory: directory, owner: owner)
    singleInstance = environment.isSingleInstance
    budget = configuration.journalBudget
    retained = JournalBreadcrumbs.kinds
    retainedCount = configuration.maxBreadcrumbs
  }
}
