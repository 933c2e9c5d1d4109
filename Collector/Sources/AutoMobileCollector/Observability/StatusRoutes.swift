import Hummingbird
import NIOCore

/// `GET /health` and `GET /metrics`.
struct StatusRoutes: Sendable {
  let port: @Sendable () -> Int
  let log: IngestLog
  let indexer: any LogFollower
  let commits: CommitSignal
  let metrics: CollectorMetrics
  let store: EventStore
  let blobs: CollectorBlobs
  let state: StateCopy

  func add(to routes: RouteTable) {
    routes.get("/health", for: .anyone) { _, _, _ in health() }
    routes.get("/metrics", for: .fullReader) { _, _, scope in try await prometheus(scope) }
  }

  private func health() -> Response {
    let backlog = indexer.cluster
    // Of ClickHouse's servers, addresses are nobody's business here.
    let problem = log.refused ?? (backlog.map(\.sentence) ?? indexer.problem)
    let trouble = blobs.uploads.problem
    let stateTrouble = state.problem
    var json = JSONOutput()
    json.object {
      // Taking data in works without the index, and without the blob store for a while, so this is no reason to be replaced.
      $0.member("status", problem == nil && trouble == nil && stateTrouble == nil ? "ok" : "degraded")
      $0.member("version", Collector.version)
      $0.member("port", Int64(port()))
      if let problem { $0.member(backlog == nil ? "index" : "telemetry", problem) }
      if let stateTrouble { $0.member("state", stateTrouble.sentence) }
      backlog?.write(to: &$0)
      if trouble != nil { $0.member("blobs", "replays wait on the collector's disk until the blob store takes them") }
    }
    var response = json.response()
    response.headers[.acceptPost] = IngestRoutes.formats
    return response
  }

  private func prometheus(_ scope: ReadScope) async throws -> Response {
    // Has the figures of what waits written down.
    _ = indexer.cluster
    let used = try await store.read(scope) { try Retention.usedBytes($0) }
    let text = metrics.text(
      backlog: log.backlog, packs: blobs.packs.spool.bytes, subscribers: commits.count, index: used,
      reads: store.gate.places)
    return Response(
      status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
