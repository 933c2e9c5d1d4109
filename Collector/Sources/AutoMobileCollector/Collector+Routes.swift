import Hummingbird
import HummingbirdCore

/// What it answers, and to whom.
extension Collector {
  /// Every route.
  func routes() -> RouteTable {
    let router = Router(context: CollectorContext.self)
    router.add(middleware: ErrorAnswers())
    router.add(middleware: ProxyHeaders(proxies: options.trustedProxies))
    router.add(
      middleware: RequestGate(
        hosts: options.isLoopback
          ? Set(["localhost", "127.0.0.1", "::1", options.host] + options.allowedHosts.map { $0.lowercased() }) : nil))
    let routes = RouteTable(
      router,
      doorkeeper: Doorkeeper(
        keys: options.ingestKeys.map(IngestKey.init), operatorKeys: options.operatorKeys.map(IngestKey.init),
        projects: projects, tokens: tokens, isLoopback: options.isLoopback, meters: meters, people: signIn.people,
        cookie: signIn.cookie),
      clients: clients, answers: answers, shares: RequestShares(limit: max(8, options.limits.connections / 2)),
      audit: audit)
    IngestRoutes(
      log: log, limits: options.limits, metrics: metrics, asks: asks, compatibility: compatibility,
      redaction: redaction
    ).add(to: routes)
    OTLPRoutes(log: log, limits: options.limits, metrics: metrics, ownForwarder: forwarding.identity).add(to: routes)
    ConfigurationRoutes(store: configuration, asks: asks, held: held, events: store, limits: options.limits)
      .add(to: routes)
    CommandRoutes(exchange: commands, asks: asks, held: held, clients: clients, limits: options.limits).add(to: routes)
    let queries = QueryRoutes(store: store)
    queries.add(to: routes)
    let issues = IssueQuery(store: store)
    IssueRoutes(store: store, limits: options.limits, onSplit: { [refiner] in refiner.wake() }).add(to: routes)
    UserRoutes(store: store).add(to: routes)
    HealthRoutes(store: store).add(to: routes)
    let bodies = SmallBodies(options.limits, bytes: SmallBodies.ofSettings)
    SettingRoutes(
      store: store, settings: settings, retention: retention, directory: directory.path,
      protection: .init(
        isLoopback: options.isLoopback, asksForKeys: options.asksForKeys,
        hasOperatorKey: !options.operatorKeys.isEmpty), bodies: bodies
    ).add(to: routes)
    ProjectRoutes(projects: projects, meters: meters, bodies: bodies).add(to: routes)
    signIn.add(to: routes, projects: projects, bodies: bodies, logger: logger)
    AskRoutes(asks: asks, bodies: bodies).add(to: routes)
    AuditRoutes(log: audit).add(to: routes)
    RedactionRoutes(store: redaction, bodies: bodies).add(to: routes)
    ErasureRoutes(erasures: erasures, bodies: bodies).add(to: routes)
    AlertRoutes(alerts: alerts, bodies: bodies).add(to: routes)
    ForwarderRoutes(forwarding: forwarding, bodies: bodies).add(to: routes)
    SearchRoutes(searches: SavedSearches(store: store), bodies: bodies).add(to: routes)
    SearchFieldRoutes(values: SearchValues(store: store)).add(to: routes)
    ReplayIngestRoutes(
      replays: ReplayStore(store: store, packs: blobs.packs), tokens: tokens, configuration: configuration,
      limits: options.limits, bodies: SmallBodies(options.limits, bytes: ReplayIngestRoutes.bodyBytes),
      budget: BodyBudget(limit: options.limits.inFlightBytes), metrics: metrics, redaction: redaction
    ).add(to: routes)
    ReplayRoutes(replays: ReplayQuery(store: store), packs: blobs.packs).add(to: routes)
    TransferRoutes(
      writer: SessionFileWriter(
        store: store, events: EventQuery(store: store), sessions: SessionQuery(store: store),
        replays: ReplayQuery(store: store), packs: blobs.packs),
      reader: SessionFileReader(
        log: log, replays: ReplayStore(store: store, packs: blobs.packs), spool: spool, limits: options.limits)
    ).add(to: routes)
    OTLPExportRoutes(store: store).add(to: routes)
    TraceExportRoute(store: store, symbolizer: symbolizer).add(to: routes)
    ReportRoutes(
      reports: ReportQuery(
        store: store, symbolizer: symbolizer, sources: FrameSources(sources: sources, links: sourceLinks)),
      issues: issues
    ).add(to: routes)
    SourceRoutes(symbolizer: symbolizer, sources: sources, links: sourceLinks, bodies: bodies).add(to: routes)
    let network = NetworkQuery(store: store)
    NetworkRoutes(network: network).add(to: routes)
    NetworkExportRoutes(network: network).add(to: routes)
    SpanRoutes(spans: SpanQuery(store: store)).add(to: routes)
    ResendRoutes(network: network, resender: Resender(targets: options.resendTargets ?? .none, logger: logger)).add(
      to: routes)
    SymbolRoutes(
      symbolizer: symbolizer, sources: sources, limits: options.limits, onAdded: { [refiner] in refiner.wake() }
    )
    .add(to: routes)
    TailRoute(events: queries.events, commits: commits, limits: options.limits, people: signIn.people).add(to: routes)
    let handle = RouterHandle()
    MCPRoutes(
      router: handle, bodies: SmallBodies(options.limits, bytes: MCPRoutes.longest), hasCommands: options.agentCommands,
      logger: logger
    ).add(to: routes)
    StatusRoutes(
      port: { [binding] in binding.current ?? 0 }, log: log, indexer: indexer, commits: commits, metrics: metrics,
      store: store, blobs: blobs
    ).add(to: routes)
    ViewerRoutes().add(to: routes)
    handle.set(router)
    DescriptionRoute(limits: options.limits).add(to: routes)
    return routes
  }
}
