import AutoMobileJournal
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `POST /sdk-events` in both formats, and `GET /sdk-events` as AutoMobile's own receiver answers it.
struct IngestRoutes: Sendable {
  /// The dictionary of before stands last: an SDK that knows no other looks at the last one only.
  static let formats =
    "application/json, \(BatchHeader.mediaType);dictionary=\(BatchDictionary.name), "
    + "\(BatchHeader.mediaType);dictionary=\(FormerDictionary.name)"

  let log: IngestLog
  let limits: CollectorLimits
  let metrics: CollectorMetrics
  let asks: Asks
  let recent = RecentRanges()
  let compatibility: CompatibilityRing
  /// nil: nothing is taken out.
  let redaction: RedactionStore?
  let budget: BodyBudget

  init(
    log: IngestLog, limits: CollectorLimits, metrics: CollectorMetrics, asks: Asks,
    compatibility: CompatibilityRing = CompatibilityRing(), redaction: RedactionStore? = nil
  ) {
    self.redaction = redaction
    self.compatibility = compatibility
    self.asks = asks
    self.log = log
    self.limits = limits
    self.metrics = metrics
    budget = BodyBudget(limit: limits.inFlightBytes)
  }

  func add(to routes: RouteTable) {
    routes.post("/sdk-events", for: .ingest) { request, _, scope in await receive(request, scope) }
    routes.get("/sdk-events", for: .fullReader) { request, context, _ in
      // What it hands out is gone then, although it is a GET.
      if context.session != nil { try Origin.checkViewer(request) }
      return compatibility.drain(request.parameter("bundleId").map { DataOwner.app($0) })
    }
  }

  private func receive(_ request: Request, _ scope: AppScope) async -> Response {
    let start = ContinuousClock.now
    var format = "unknown"
    var response: Response
    do {
      response = try await accept(request, scope, format: &format)
    } catch {
      response = self.response(for: error)
    }
    response.headers[.acceptPost] = Self.formats
    let seconds = Double((ContinuousClock.now - start) / .microseconds(1)) / 1e6
    metrics.request(format: format, status: response.status.code, seconds: seconds)
    return response
  }

  private func accept(_ request: Request, _ scope: AppScope, format: inout String) async throws -> Response {
    let isRaw = try isRaw(request)
    format = isRaw ? "raw" : "envelope"
    // Before the body is read: whoever is sent away should not have to send it first.
    try log.admit(below: limits.backlogBytes)
    return try await budget.withLease(of: scope.share) { lease in
      let body = try await request.contents(limits: limits, lease: lease)
      let batch = isRaw ? try CheckedBatch(raw: body) : try Envelope.check(body, limits: limits)
      let app = try scope.app(batch.bundleId)
      try scope.took(body.readableBytes, of: app, launch: batch.launch.description)
      let asker = Asker(request)
      let launch = RecentRanges.Name(owner: app.owner, launch: batch.launch)
      let isKnown = recent.contains(batch.positions, of: launch)
      let duplicates = isKnown ? batch.events : 0
      if isKnown, !batch.hasLedger {
        return answer(accepted: 0, duplicates: duplicates, to: batch, of: app, asker)
      }
      try await log.append(receivedAt: WallClock.now, owner: app.owner, batch: batch)
      recent.insert(batch.positions, of: launch)
      // It holds envelopes as they came.
      if !isRaw, redaction?.rules(for: app.owner) == nil { compatibility.add(body, of: app.owner) }
      metrics.accepted(
        events: batch.events, rejected: batch.rejected.count, bytes: body.readableBytes, received: lease.received)
      return answer(accepted: batch.events - duplicates, duplicates: duplicates, to: batch, of: app, asker)
    }
  }

  /// Which of the two formats it is. A type that a web page could send without asking first is neither.
  private func isRaw(_ request: Request) throws -> Bool {
    let type = request.headers[.contentType] ?? ""
    switch type.prefix(while: { $0 != ";" }).lowercased().filter({ $0 != " " }) {
    case BatchHeader.mediaType: return true
    case "application/json": return false
    default:
      throw APIError(
        .unsupportedMediaType, "unsupported_media_type",
        "Content-Type \"\(type.prefix(64))\" is not supported: send one of \(Self.formats)")
    }
  }

  private func answer(
    accepted: Int, duplicates: Int, to batch: CheckedBatch, of app: DeliveringApp, _ asker: Asker?
  ) -> Response {
    var json = JSONOutput()
    json.object {
      $0.member("ok", true)
      $0.member("accepted", Int64(accepted))
      $0.member("duplicates", Int64(duplicates))
      $0.array("rejected") {
        for rejection in batch.rejected {
          $0.object {
            if let sequence = rejection.sequence {
              $0.member("sequence", Int64(clamping: sequence))
            } else {
              $0.member("index", Int64(rejection.index))
            }
            $0.member("reason", rejection.reason)
          }
        }
      }
    }
    var response = json.response()
    // By this the app learns that there is something new for it, without asking.
    response.headers[.xAutoMobileConfig] = asks.tag(of: app, asker: asker)
    return response
  }

  private func response(for error: any Error) -> Response {
    switch error {
    case let error as APIError: return error.response
    case let error as BatchFormatError:
      return APIError.badRequest("invalid_batch", error.description, offset: error.offset).response
    case is LogClosedError:
      return APIError(.serviceUnavailable, "stopping", "the collector is stopping", retryAfter: 5).response
    case let error as SystemError:
      return APIError(
        .serviceUnavailable, "storage", "the batch could not be written: \(String(cString: strerror(error.code)))",
        retryAfter: 10
      ).response
    // An answer that refuses the batch would have the app set it aside.
    case let error as NumbersSpent:
      return APIError(
        .serviceUnavailable, "storage", "the batch could not be written: \(error)", retryAfter: 60
      ).response
    default:
      return APIError.badRequest("incomplete", "the request ended before it was complete").response
    }
  }
}
