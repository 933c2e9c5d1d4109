import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `POST /v1/logs`, `/v1/traces` and `/v1/metrics`: what programs send that are instrumented with OpenTelemetry, by OTLP over HTTP.
///
/// Logs and spans become events of sessions, durable before the answer. Metrics are counted, and not kept.
struct OTLPRoutes: Sendable {
  let log: IngestLog
  let limits: CollectorLimits
  let metrics: CollectorMetrics
  let budget: BodyBudget
  /// What this collector's own forwarders call themselves.
  let ownForwarder: String

  init(log: IngestLog, limits: CollectorLimits, metrics: CollectorMetrics, ownForwarder: String) {
    self.ownForwarder = ownForwarder
    self.log = log
    self.limits = limits
    self.metrics = metrics
    budget = BodyBudget(limit: limits.inFlightBytes)
  }

  func add(to routes: RouteTable) {
    for signal in [WireCount.Signal.logs, .traces, .metrics] {
      routes.post("/v1/\(signal.rawValue)", for: .ingest) { request, _, scope in
        await receive(signal, request, scope)
      }
    }
  }

  private func receive(_ signal: WireCount.Signal, _ request: Request, _ scope: AppScope) async -> Response {
    let start = ContinuousClock.now
    var name = "otlp"
    var response: Response
    do {
      let format = try OTLPFormat(request)
      name = "otlp_\(format)"
      do {
        response = try await accept(signal, request, format, scope)
      } catch {
        response = format.response(Self.answer(to: error))
      }
    } catch {
      response = Self.answer(to: error).response
    }
    response.headers[.acceptPost] = OTLPFormat.mediaTypes
    let seconds = Double((ContinuousClock.now - start) / .microseconds(1)) / 1e6
    metrics.request(format: name, status: response.status.code, seconds: seconds)
    return response
  }

  private func accept(
    _ signal: WireCount.Signal, _ request: Request, _ format: OTLPFormat, _ scope: AppScope
  ) async throws -> Response {
    guard request.headers[.xAutoMobileForwarder] != ownForwarder else {
      throw APIError(.forbidden, "own_forwarder", "this collector forwards to itself: remove the forwarder")
    }
    // Before the body is read: whoever is sent away should not have to send it first.
    try log.admit(below: limits.backlogBytes)
    return try await budget.withLease(of: scope.share) { lease in
      let body = try await request.contents(limits: limits, lease: lease)
      try scope.took(body.readableBytes)
      let count = try WireCount(body, format, signal, limits: limits)
      if signal == .metrics {
        metrics.points(count.records)
        return format.response(Self.notKept(count.records))
      }
      try lease.take(count.messages * WireCount.messageBytes)
      var batches = IncomingBatches(
        body, limits: limits, received: WallClock.now, collector: ownForwarder
      ) { try scope.app($0) }
      switch signal {
      case .logs: try IncomingRequest.add(format.logs(body), to: &batches)
      default: try IncomingRequest.add(format.spans(body), to: &batches)
      }
      try batches.finish()
      return try await keep(batches, signal, format, bytes: body.readableBytes, received: lease.received)
    }
  }

  /// Answers when all of it is durable. What is sent again after an error is known by its name: nothing is stored twice.
  private func keep(
    _ batches: IncomingBatches, _ signal: WireCount.Signal, _ format: OTLPFormat, bytes: Int, received: Int
  ) async throws -> Response {
    if batches.deliveries.isEmpty, let refusal = batches.refusal { throw refusal }
    let receivedAt = batches.received
    try await withThrowingTaskGroup(of: Void.self) { group in
      for delivery in batches.deliveries {
        group.addTask { [log] in
          try await log.append(receivedAt: receivedAt, owner: delivery.owner, batch: delivery.batch)
        }
      }
      try await group.waitForAll()
    }
    let events = batches.deliveries.reduce(0) { $0 + $1.batch.events }
    metrics.accepted(events: events, rejected: batches.rejected.count, bytes: bytes, received: received)
    return format.response(signal == .logs ? Self.logs(batches.rejected) : Self.traces(batches.rejected))
  }

  // MARK: Answers

  private static func logs(_ rejected: IncomingBatches.Rejections) -> OTLP.LogsResponse {
    var response = OTLP.LogsResponse()
    guard rejected.count > 0 else { return response }
    response.partialSuccess.rejectedLogRecords = Int64(rejected.count)
    response.partialSuccess.errorMessage = rejected.message
    return response
  }

  private static func traces(_ rejected: IncomingBatches.Rejections) -> OTLP.TraceResponse {
    var response = OTLP.TraceResponse()
    guard rejected.count > 0 else { return response }
    response.partialSuccess.rejectedSpans = Int64(rejected.count)
    response.partialSuccess.errorMessage = rejected.message
    return response
  }

  /// Taken, so that no exporter repeats them; that they are not kept is said where the protocol has a place for it.
  private static func notKept(_ points: Int) -> OTLP.MetricsResponse {
    var response = OTLP.MetricsResponse()
    response.partialSuccess.rejectedDataPoints = Int64(points)
    response.partialSuccess.errorMessage = "metrics are counted by this collector, and not kept"
    return response
  }

  private static func answer(to error: any Error) -> APIError {
    switch error {
    case let error as APIError: return error
    case is LogClosedError: return APIError(.serviceUnavailable, "stopping", "the collector is stopping", retryAfter: 5)
    case let error as SystemError:
      return APIError(
        .serviceUnavailable, "storage", "the batch could not be written: \(String(cString: strerror(error.code)))",
        retryAfter: 10)
    default: return APIError.badRequest("incomplete", "the request ended before it was complete")
    }
  }
}
