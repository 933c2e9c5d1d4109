import AutoMobileState
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle

/// Receives what apps record, keeps it, and gives it out: one HTTP server over an ingest log and an index.
///
///     var options = CollectorOptions(dataDirectory: URL(filePath: "data"))
///     options.port = 0
///     let collector = try Collector(options)
///     async let running: Void = collector.run()
///     print("http://127.0.0.1:\(try await collector.port)")
///     …
///     collector.stop()
///     try await running
public final class Collector: Service, Sendable {
  /// The collector's own version.
  public static let version = "0.1.0"

  let options: CollectorOptions
  let logger: Logger
  let directory: DataDirectory
  let store: EventStore
  let state: any StateStore
  /// What the index has of a state elsewhere.
  let stateCopy: StateCopy
  let telemetry: any TelemetryStore
  /// Nil: telemetry is in the index.
  let cluster: ClusterTelemetry?
  let log: IngestLog
  let indexer: any LogFollower
  let alerts: Alerts
  let forwarding: Forwarding
  let symbolizer: Symbolizer
  let sources: SourceStore
  let sourceLinks: SourceLinkStore
  let refiner: IssueRefiner
  /// The same of reports in ClickHouse.
  let looker: IssueLooker?
  /// Has other collectors find this one's replays.
  let teller: ReplayTeller?
  let wakeIssues: @Sendable () -> Void
  let metrics = CollectorMetrics()
  let commits = CommitSignal()
  let configuration: ConfigurationStore
  let projects: ProjectStore
  let settings: SettingStore
  let certificate: ServerCertificate?
  let blobs: CollectorBlobs
  let tokens: UploadTokens
  let signIn: SignIn
  let audit: AuditLog
  let spool: SessionSpool
  let retention: Retention
  let erasures: Erasures
  let redaction: RedactionStore
  let compatibility = CompatibilityRing()
  let commands: any CommandBoard
  let held: HeldQuestions
  let asks: Asks
  let clients = Clients()
  let answers: AnswerBudget
  let meters: DeliveryMeters
  let binding = BoundPort()
  private let stopper = NIOLockedValueBox<(isStopped: Bool, group: ServiceGroup?)>((false, nil))

  /// Opens the data directory. Deliveries that an earlier run accepted and did not index are indexed from now on. Waits on the thread
  /// that it is called on for the servers of ``CollectorOptions/state`` and ``CollectorOptions/store``; see ``open(_:logger:)``.
  ///
  /// - Throws: ``CollectorError``, or what the database says.
  public init(_ options: CollectorOptions, logger: Logger = Logger(label: "automobile.collector")) throws {
    guard (options.ingestKeys + options.operatorKeys).allSatisfy({ $0.utf8.count >= 8 }) else {
      throw CollectorError.emptyKey
    }
    self.options = options
    self.logger = logger
    let egress = try Egress(options)
    certificate = try options.tlsCertificate.map {
      try ServerCertificate(.init(chain: $0.chain, key: $0.key), logger: logger)
    }
    directory = try DataDirectory(options.dataDirectory)
    store = try EventStore(
      path: directory.index, fullText: options.fullTextSearch, maximumDepth: options.limits.jsonDepth,
      limits: options.limits, state: options.state.open(password: options.statePassword))
    state = store.state
    commands = store.sharesState ? SharedCommands(state) : CommandExchange()
    configuration = try ConfigurationStore(state, logger: logger)
    try StateMark.set(configuration.issuer, in: store)
    stateCopy = try StateCopy(store, logger: logger)
    projects = try ProjectStore(state, logger: logger) { [store] in await store.followProjects() }
    let now = WallClock.now
    guard options.isLoopback || !options.ingestKeys.isEmpty || projects.has(.ingest, at: now) else {
      throw CollectorError.keyRequired(host: options.host)
    }
    settings = try SettingStore(state, logger: logger)
    meters = DeliveryMeters(
      options.rates ?? (options.isReachable ? .standard : .unlimited),
      onLimit: { [metrics] key, what in metrics.limited(key: key, what) })
    answers = AnswerBudget(limit: options.limits.answerBytes)
    blobs = try CollectorBlobs(options, directory, store, logger)
    tokens = try UploadTokens(state, startedWith: options.ingestKeys + options.operatorKeys)
    signIn = try SignIn(options, state: state, egress: egress, logger: logger)
    audit = AuditLog(state, keeping: .init(days: options.auditDays, rows: options.auditEntries), logger: logger)
    spool = try SessionSpool(directory: directory.incoming)
    let held = HeldQuestions(options.limits)
    self.held = held
    let logDirectory = try LogDirectory(path: directory.ingestLog)
    let place = try CollectorTelemetry(options, log: logDirectory, store, logger)
    let cluster = place.cluster
    (telemetry, self.cluster) = (place.reading, cluster)
    // What is asked of the index by default.
    let shared = cluster == nil ? nil : place.reading
    asks = try Asks(
      store: store, rows: state, reading: shared?.asks, configuration: configuration, logger: logger,
      projects: { [projects] in projects.apps })
    let wake: @Sendable () -> Void = { [commands] in
      commands.wake()
      held.wake()
    }
    configuration.onChange(wake)
    asks.onChange(wake)
    let redaction = try RedactionStore(state, maximumDepth: options.limits.jsonDepth, logger: logger)
    self.redaction = redaction
    log = try IngestLog(
      directory: logDirectory, indexed: place.position, segmentSize: options.logSegmentBytes,
      writer: cluster?.writer.number, above: place.numbersAbove, metrics: metrics, logger: logger,
      refusal: { cluster?.writer.problem }, redact: { redaction.redact($0, of: $1) })
    retention = Retention(
      store: store, packs: blobs.packs, settings: settings, maximumDepth: options.limits.jsonDepth, metrics: metrics,
      logger: logger, elsewhere: cluster?.retention, projects: { [projects] in projects.retention(below: $0) },
      backlog: { [log] in log.backlog })
    projects.onDays { [weak retention] in retention?.wake() }
    let symbols = try SymbolStore(
      files: blobs.files, table: blobs.table, maximumBytes: options.limits.symbolStoreBytes, logger: logger)
    sources = SourceStore(files: blobs.files, table: blobs.table, maximumBytes: options.limits.sourceStoreBytes)
    sourceLinks = try SourceLinkStore(state, logger: logger)
    symbolizer = Symbolizer(store: symbols, tools: options.symbolTools, logger: logger)
    let refiner = IssueRefiner(store: store, symbolizer: symbolizer, logger: logger) { [stateCopy] in
      stateCopy.wake()
    }
    self.refiner = refiner
    let looker = cluster.map { [store, symbolizer] cluster in
      IssueLooker(
        telemetry: cluster.telemetry, cluster: cluster.cluster, state: store.beside, symbolizer: symbolizer,
        logger: logger
      ) { session, owner in
        try cluster.erasing.marks.current()?.isErased(session: session, of: owner) ?? false
      }
    }
    self.looker = looker
    teller = cluster.map { [store, blobs] in
      ReplayTeller(
        $0.cluster, news: ReplayNews(store: store, packs: blobs.packs), place: $0.writer.identity, logger: logger)
    }
    let wakeIssues: @Sendable () -> Void = {
      refiner.wake()
      looker?.wake()
    }
    self.wakeIssues = wakeIssues
    indexer = place.follow(
      log, limits: options.limits, commits: commits, metrics: metrics, logger: logger,
      projects: { [projects] in projects.apps }, onReports: wakeIssues)
    alerts = Alerts(
      store: store, state: state, reading: shared?.alerts, egress: egress, publicURL: options.publicURL,
      logger: logger, onAlert: options.onAlert)
    forwarding = Forwarding(
      store: store, state: state, reading: shared?.forwards, egress: egress, metrics: metrics, logger: logger)
    erasures = Erasures(
      .init(
        store: store, packs: blobs.packs, uploads: blobs.uploads, log: log, maximumDepth: options.limits.jsonDepth,
        index: directory.index, tidyLog: { [indexer] in indexer.tidy() },
        forget: { [forwarding, compatibility, asks] in
          compatibility.removeAll()
          asks.reload()
          forwarding.forget()
        }, onIssues: wakeIssues, onConfiguration: { [configuration] in configuration.reload() },
        projects: { [projects] in projects.apps }, telemetry: cluster?.erasing), logger: logger)
    looker?.start()
    teller?.start()
    if let cluster {
      cluster.publisher.start()
      cluster.order.follow { [commits] in commits.advance() }
      if !store.sharesState {
        logger.notice("its state is in the data directory: no other collector may write into the same database")
      }
    }
    stateCopy.start()
    commits.onAdvance { [alerts, forwarding, asks, stateCopy] in
      stateCopy.wake()
      asks.eventsArrived()
      alerts.watch.wake()
      forwarding.wake()
    }
  }

  /// The same on a thread of its own: connecting to servers may take a while.
  public static func open(
    _ options: CollectorOptions, logger: Logger = Logger(label: "automobile.collector")
  ) async throws -> Collector {
    try await withCheckedThrowingContinuation { continuation in
      startThread("start") { continuation.resume(with: Result { try Collector(options, logger: logger) }) }
    }
  }

  /// The port that it listens on, once it does.
  ///
  /// - Throws: what ``run()`` threw, when it ended before.
  public var port: Int { get async throws { try await binding.value } }

  /// A link with which an admin signs in, once, within a quarter of an hour: its path, without the host.
  ///
  /// - Throws: what the database says.
  public func signInLink() async throws -> String { try await signIn.link() }

  /// Serves until ``stop()``, a graceful shutdown of the surrounding `ServiceGroup`, or cancellation. Then: takes no new
  /// connections, finishes requests in flight, indexes what is left, and closes the files. Each has some seconds; what has
  /// been acknowledged and is not indexed by then is indexed by the next run.
  public func run() async throws {
    let group = ServiceGroup(
      configuration: .init(services: [.init(service: try application())], logger: logger))
    let isStopped = stopper.withLockedValue { state in
      state.group = group
      return state.isStopped
    }
    let outcome: Result<Void, any Error>
    do {
      if !isStopped {
        try await blobs.open()
        try await withTaskCancellationOrGracefulShutdownHandler {
          try await group.run()
        } onCancelOrGracefulShutdown: { [self] in
          endRequests()
        }
      }
      binding.fail(CancellationError())
      outcome = .success(())
    } catch {
      binding.fail(error)
      outcome = .failure(error)
    }
    // On a thread of its own: what is waited for there needs Swift's, of which there are as many as cores.
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      startThread("stop") { [self] in
        close()
        continuation.resume()
      }
    }
    try outcome.get()
  }

  /// Keeps a program's symbols; before it runs.
  package func addSymbols(_ path: String, name: String) async throws {
    try await blobs.open()
    _ = try await symbolizer.store.add(path, name: name)
  }

  /// Begins an orderly stop; ``run()`` returns when it is done.
  public func stop() {
    endRequests()
    let group = stopper.withLockedValue { state in
      state.isStopped = true
      return state.group
    }
    if let group { Task { await group.triggerGracefulShutdown() } }
  }

  /// Whoever waits for something that may never come is told at once, questions have a moment to be answered, and after
  /// another one all connections are closed: what is not taken by then, or not sent, does not hold up the stop.
  private func endRequests() {
    commits.finish()
    forwarding.finish()
    commands.finish()
    held.finish()
    store.gate.places.stop(after: options.limits.finishSeconds)
    Task { [clients, options] in
      try? await Task.sleep(for: .seconds(options.limits.closeSeconds))
      clients.closeAll()
    }
  }

  func close() {
    certificate?.stop()
    blobs.uploads.stop()
    retention.stop()
    erasures.stop()
    alerts.stop()
    asks.stop()
    log.close()
    indexer.stop(within: options.limits.indexSeconds)
    cluster?.publisher.stop()
    looker?.stop()
    teller?.stop()
    forwarding.stop(within: options.limits.finishSeconds)
    refiner.stop()
    symbolizer.stop()
    audit.close()
    redaction.close()
    stateCopy.stop()
    cluster?.close()
    do {
      try store.close()
    } catch {
      logger.error("the index could not be closed", metadata: ["error": "\(error)"])
    }
    directory.release()
  }

  private func application() throws -> some ApplicationProtocol {
    let limits = options.limits
    let metrics = metrics
    let clients = clients
    let places = ConnectionPlaces(limit: limits.connections)
    var http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        MalformedRequests(), HeadAnswers(),
        ConnectionGuard(limits: limits, places: places, onSlowReader: { metrics.slowReaderDropped() }), clients.watch(),
      ],
      idleTimeout: .milliseconds(Int64(limits.idleSeconds * 1000)))
    http.httpDecoder = .init(
      maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
      maxHeaderFieldCount: limits.headerCount)
    return Application(
      router: routes().router,
      server: try certificate.map { try .tls(.http1(configuration: http), tlsConfiguration: $0.configuration) }
        ?? .http1(configuration: http),
      configuration: .init(
        address: .hostname(options.host, port: options.port), serverName: "automobile", backlog: 1024,
        availableConnectionsDelegate: places),
      onServerRunning: { [binding] channel in binding.set(channel.localAddress?.port ?? 0) },
      logger: logger)
  }
}
