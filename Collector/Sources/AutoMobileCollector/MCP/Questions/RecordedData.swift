import Foundation
import Hummingbird
import Logging

/// What a data directory holds, for who reads it without a collector, or beside one that runs. Nothing of it is changed; what
/// a collector has accepted and not indexed yet is not there yet.
package final class RecordedData: Sendable {
  /// Asks what the collector's API gives readers.
  package let questions: any Questions
  private let store: EventStore
  private let symbolizer: Symbolizer

  /// - Throws: ``CollectorError`` when there is no data, or some of another version; what the database says.
  package init(_ directory: URL, logger: Logger) throws {
    let index = directory.appending(path: "index.sqlite").path
    guard FileManager.default.fileExists(atPath: index) else {
      throw CollectorError.directoryUnusable(path: directory.path, reason: "there is no collector's data in it")
    }
    let store = try EventStore(reading: index)
    self.store = store
    try StateMark.check(store)
    try TelemetryMark.check(store)
    let place = try BlobMark.known(in: store.own)
    let blobs: any BlobStore = place == BlobPlace.folder.mark ? FolderBlobs(directory) : DistantBlobs(place: place)
    let files = BlobFiles(blobs)
    let table = SymbolTable(state: store.state)
    symbolizer = Symbolizer(
      store: try SymbolStore(files: files, table: table, logger: logger), tools: SymbolTools.found(), logger: logger)
    let router = Router(context: CollectorContext.self)
    router.add(middleware: ErrorAnswers())
    router.add(middleware: RequestGate(hosts: nil))
    // Whoever can read the files needs no key.
    let routes = RouteTable(
      router,
      doorkeeper: Doorkeeper(
        keys: [], operatorKeys: [], projects: try ProjectStore(store.state, logger: logger),
        tokens: UploadTokens(),
        isReachable: false),
      clients: Clients(), answers: AnswerBudget(limit: store.limits.answerBytes), shares: RequestShares(limit: 64))
    let telemetry = SQLiteTelemetry(store: store)
    QueryRoutes(telemetry).add(to: routes)
    let issues = IssueRoutes(telemetry.issues, store: store, elsewhere: false, limits: store.limits, onSplit: {})
    issues.addReading(to: routes)
    HealthRoutes(health: telemetry.health).add(to: routes)
    ConfigurationReadingRoutes(
      store: try ConfigurationStore(reading: store.state, logger: logger), dryRuns: telemetry.dryRuns,
      bodies: SmallBodies(store.limits, bytes: ConfigurationRules.maximumSize)
    ).add(to: routes)
    AskListRoutes(rows: store.state).add(to: routes)
    ReplayRoutes(
      replays: telemetry.replays,
      packs: ReplayPacks(spool: PackSpool(reading: directory.appending(path: "packs").path), blobs: blobs)
    ).add(to: routes)
    ReportRoutes(
      reports: ReportQuery(
        events: telemetry.events, symbolizer: symbolizer,
        sources: FrameSources(
          sources: SourceStore(files: files, table: table), links: try SourceLinkStore(store.state, logger: logger))),
      issues: issues.issues
    ).add(to: routes)
    NetworkRoutes(requests: telemetry.requests).add(to: routes)
    NetworkExportRoutes(requests: telemetry.requests).add(to: routes)
    let handle = RouterHandle()
    handle.set(router)
    questions = RoutedQuestions(router: handle, asking: nil, logger: logger)
  }

  package func close() {
    symbolizer.stop()
    try? store.close()
  }
}
