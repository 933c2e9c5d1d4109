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
        projects: projects, tokens: tokens, isReachable: options.isReachable, meters: meters, people: signIn.people,
        cookie: signIn.cookie),
      clients: clients, answers: answers, shares: RequestShares(limit: max(8, options.limits.connections / 2)),
      audit: audit)
    IngestRoutes(
      log: log, limits: options.limits, metrics: metrics, asks: asks, compatibility: compatibility,
      redaction: redaction
    ).add(to: routes)
    OTLPRoutes(log: log, limits: options.limits, metrics: metrics, ownForwarder: forwarding.identity).add(to: routes)
    ConfigurationRoutes(
      store: configuration, asks: asks, held: held, dryRuns: telemetry.dryRuns, limits: options.limits
    ).add(to: routes)
    CommandRoutes(board: commands, asks: asks, held: held, clients: clients, limits: options.limits).add(to: routes)
    QueryRoutes(telemetry).add(to: routes)
    IssueRoutes(
      telemetry.issues, store: store, elsewhere: !(telemetry.issues is SQLiteIssues), limits: options.limits,
      onSplit: wakeIssues
    ).add(to: routes)
    UserRoutes(sessions: telemetry.sessions).add(to: routes)
    HealthRoutes(health: telemetry.health).add(to: routes)
    let bodies = SmallBodies(options.limits, bytes: SmallBodies.ofSettings)
    SettingRoutes(
      store: store, settings: settings, retention: retention, directory: directory.path,
      protection: .init(
        isLoopback: options.isLoopback, asksForKeys: options.asksForKeys,
        hasOperatorKey: !options.operatorKeys.isEmpty), bodies: bodies, isOnCluster: cluster != nil
    ).add(to: routes)
    ProjectRoutes(
      projects: projects, settings: settings, sessions: telemetry.sessions, meters: meters, bodies: bodies
    ).add(to: routes)
    signIn.add(to: routes, projects: projects, bodies: bodies, logger: logger)
    AskRoutes(asks: asks, bodies: bodies).add(to: routes)
    AuditRoutes(log: audit).add(to: routes)
    RedactionRoutes(store: redaction, bodies: bodies).add(to: routes)
    ErasureRoutes(erasures: erasures, bodies: bodies).add(to: routes)
    AlertRoutes(alerts: alerts, bodies: bodies).add(to: routes)
    ForwarderRoutes(forwarding: forwarding, bodies: bodies).add(to: routes)
    SearchRoutes(searches: SavedSearches(state: state), bodies: bodies).add(to: routes)
    SearchFieldRoutes(values: telemetry.values).add(to: routes)
    let replays = ReplayStore(store: store, packs: blobs.packs, isShared: cluster != nil && store.sharesState)
    ReplayIngestRoutes(
      replays: replays, tokens: tokens, configuration: configuration,
      limits: options.limits, bodies: SmallBodies(options.limits, bytes: ReplayIngestRoutes.bodyBytes),
      budget: BodyBudget(limit: options.limits.inFlightBytes), metrics: metrics, redaction: redaction
    ).add(to: routes)
    ReplayRoutes(replays: telemetry.replays, packs: blobs.packs).add(to: routes)
    TransferRoutes(
      writer: SessionFileWriter(
        events: telemetry.events, sessions: telemetry.sessions, replays: telemetry.replays, packs: blobs.packs),
      reader: SessionFileReader(
        log: log, replays: replays, imports: cluster.map { ClickHouseImports($0) } ?? SQLiteImports(store: store),
        spool: spool, limits: options.limits)
    ).add(to: routes)
    OTLPExportRoutes(outgoing: telemetry.outgoing, maximumDepth: options.limits.jsonDepth).add(to: routes)
    TraceExportRoute(
      outgoing: telemetry.outgoing, symbolizer: symbolizer, maximumDepth: options.limits.jsonDepth
    ).add(to: routes)
    ReportRoutes(
      reports: ReportQuery(
        events: telemetry.events, symbolizer: symbolizer, sources: FrameSources(sources: sources, links: sourceLinks)),
      issues: telemetry.issues
    ).add(to: routes)
    SourceRoutes(symbolizer: symbolizer, sources: sources, links: sourceLinks, bodies: bodies).add(to: routes)
    NetworkRoutes(requests: telemetry.requests).add(to: routes)
    NetworkExportRoutes(requests: telemetry.requests).add(to: routes)
    SpanRoutes(spans: telemetry.spans).add(to: routes)
    ResendRoutes(
      requests: telemetry.requests, resender: Resender(targets: options.resendTargets ?? .none, logger: logger)
    ).add(to: routes)
    SymbolRoutes(
      symbolizer: symbolizer, sources: sources, limits: options.limits, onAdded: wakeIssues
    )
    .add(to: routes)
    TailRoute(arrivals: telemetry.arrivals, commits: commits, limits: options.limits, people: signIn.people).add(
      to: routes)
    let handle = RouterHandle()
    MCPRoutes(
      router: handle, bodies: SmallBodies(options.limits, bytes: MCPRoutes.longest), hasCommands: options.agentCommands,
      logger: logger
    ).add(to: routes)
    StatusRoutes(
      port: { [binding] in binding.current ?? 0 }, log: log, indexer: indexer, commits: commits, metrics: metrics,
      store: store, blobs: blobs, state: stateCopy
    ).add(to: routes)
    ViewerRoutes().add(to: routes)
    handle.set(router)
    DescriptionRoute(limits: options.limits).add(to: routes)
    return routes
  }
}
