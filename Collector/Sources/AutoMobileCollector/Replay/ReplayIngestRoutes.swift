import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/sdk/config` and `/api/ingest/…`: what the SDK asks before it records a replay, and where it sends one.
///
/// A segment comes in three steps, each of which may be repeated: it is announced (presign), its body is put, and it is
/// said to be whole (complete). Its id is made of what it holds, so that it is here once, however often it is sent.
struct ReplayIngestRoutes: Sendable {
  let replays: ReplayStore
  let tokens: UploadTokens
  let configuration: ConfigurationStore
  let limits: CollectorLimits
  let bodies: SmallBodies
  let budget: BodyBudget
  let metrics: CollectorMetrics
  let redaction: RedactionStore
  /// Of everything but a segment's body, in bytes.
  static let bodyBytes = 64 << 10

  func add(to routes: RouteTable) {
    routes.get("/api/sdk/config", for: .ingest) { request, _, scope in try await config(request, scope) }
    routes.post("/api/ingest/auth/device", for: .ingest) { request, context, scope in
      try await authorize(request, scope, key: context.key)
    }
    routes.post("/api/ingest/segment/presign", for: .upload) { request, _, scope in
      try await presign(request, scope)
    }
    routes.put("/api/ingest/segment/{id}", for: .upload) { request, context, scope in
      try await put(request, scope, Self.id(context))
    }
    routes.post("/api/ingest/segment/complete", for: .upload) { request, _, scope in
      try await complete(request, scope)
    }
    routes.post("/api/ingest/session/end", for: .upload) { request, _, scope in try await end(request, scope) }
    routes.post("/api/ingest/fault", for: .upload) { request, _, scope in try await fault(request, scope) }
  }

  // MARK: Before anything is recorded

  private func config(_ request: Request, _ scope: AppScope) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    let policy = policy(of: app)
    let used = try await replays.used(by: app)
    var json = JSONOutput()
    policy.write(isOverQuota: policy.quotaBytes.map { used >= $0 } ?? false, to: &json)
    return json.response()
  }

  private func authorize(_ request: Request, _ scope: AppScope, key: AccessKey?) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    let body = try await bodies.json(request, maximumDepth: 8)
    _ = try ReplaySegment.name(body, "deviceId")
    let expires = WallClock.now + UploadTokens.lifetime * 1000
    return JSONOutput.ok {
      $0.member("uploadToken", tokens.token(.init(key: key?.id, app: app, expires: expires)))
      $0.member("expiresIn", UploadTokens.lifetime)
    }
  }

  // MARK: Segments

  private func presign(_ request: Request, _ scope: AppScope) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    let segment = try ReplaySegment(try await bodies.json(request, maximumDepth: 8))
    guard segment.size <= limits.bodyBytes else {
      throw APIError.tooLarge("the segment has \(segment.size) bytes, more than \(limits.bodyBytes): send shorter ones")
    }
    let policy = policy(of: app)
    guard policy.recordingEnabled, !policy.disabled else {
      throw APIError(.forbidden, "recording_disabled", "replays are switched off in this app's configuration")
    }
    let now = WallClock.now
    let announcement = try await replays.announce(
      segment, of: app, quota: policy.quotaBytes, at: now, isNoted: !replays.isShared)
    return JSONOutput.ok {
      $0.member("segmentId", segment.id)
      switch announcement {
      case .wanted:
        let announced = replays.isShared ? "?announced=\(tokens.announced(segment, of: app, at: now))" : ""
        $0.member("uploadUrl", "/api/ingest/segment/\(segment.id)\(announced)")
      case .known:
        $0.member("skipUpload", true)
        $0.member("reason", "already_uploaded")
      }
    }
  }

  private func put(_ request: Request, _ scope: AppScope, _ segment: String) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    // A type that no web page can send without asking first.
    guard request.headers[.contentType] == "application/gzip" else {
      throw APIError(
        .unsupportedMediaType, "unsupported_media_type", "send the gzip body as Content-Type application/gzip")
    }
    guard try await isWanted(segment, request, of: app) else { return Response(status: .noContent) }
    try await budget.withLease(of: scope.share) { lease in
      let body = try await request.body(limits: limits, lease: lease)
      try scope.took(body.readableBytes, of: app)
      // Whether it is whole, and how large it would become, is found out now and not by who looks at it.
      let hash = try await replays.contentHash(segment, of: app)
      try await offLoop { [limits] in try Self.check(body, hash, limits) }
      do {
        try await replays.keep(body, as: segment, of: app, at: WallClock.now)
        metrics.segment(bytes: body.readableBytes)
      } catch let error as SystemError {
        throw APIError(.serviceUnavailable, "storage", "the segment could not be stored: \(error)", retryAfter: 10)
      }
    }
    return Response(status: .noContent)
  }

  /// What was announced to another collector is in the address.
  private func isWanted(_ segment: String, _ request: Request, of app: DeliveringApp) async throws -> Bool {
    do {
      return try await replays.isWanted(segment, of: app)
    } catch let error as APIError where replays.isShared && error.code == ReplayStore.unknown.code {
      let now = WallClock.now
      guard let text = request.parameter("announced"), let announced = tokens.announced(text, of: app, at: now),
        announced.id == segment
      else { throw error }
      return try await replays.announce(announced, of: app, quota: policy(of: app).quotaBytes, at: now) == .wanted
    }
  }

  private static func check(_ body: ByteBuffer, _ hash: String?, _ limits: CollectorLimits) throws {
    let content = try content(of: body, limits)
    // Nobody could look at it, and nobody would be told why.
    if let version = FrameFormat.version(of: content), !FrameFormat.versions.contains(version) {
      throw FrameFormat.refusal(of: version)
    }
    guard let hash, SHA256.hex(Array(content.readableBytesView)) != hash else { return }
    throw APIError.badRequest("hash_mismatch", "the content does not match the contentHash that was announced")
  }

  private static func content(of body: ByteBuffer, _ limits: CollectorLimits) throws -> ByteBuffer {
    do throws(Inflater.Failure) {
      return try Inflater.gunzip(body, limit: limits.decompressedBytes)
    } catch {
      throw error.refusal(of: body, "segment", coding: "gzip", limits)
    }
  }

  private func complete(_ request: Request, _ scope: AppScope) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    let body = try await bodies.json(request, maximumDepth: 8)
    let wasKnown = try await replays.complete(
      ReplaySegment.segmentID(body), size: body["actualSizeBytes"]?.integer, of: app)
    return JSONOutput.ok {
      $0.member("success", true)
      if wasKnown { $0.member("alreadyCompleted", true) }
    }
  }

  // MARK: The end, and what went wrong

  private func end(_ request: Request, _ scope: AppScope) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    let end = try ReplayEnd(try await bodies.json(request, maximumDepth: 8))
    let (duration, isRepeated) = try await replays.end(end, of: app, at: WallClock.now)
    return JSONOutput.ok {
      if let duration { $0.member("durationSeconds", duration / 1000) }
      if isRepeated || duration == nil {
        $0.member("ignored", true)
        $0.member("reason", isRepeated ? "already_ended" : "nothing_recorded")
      }
    }
  }

  private func fault(_ request: Request, _ scope: AppScope) async throws -> Response {
    let app = try scope.app(request.headers[.xBundleID])
    var fault = try ReplayFault(try await bodies.json(request, maximumDepth: 16))
    fault.redact { redaction.redact($0, of: app.owner) }
    let isNew = try await replays.add(fault, of: app, at: WallClock.now)
    return JSONOutput.ok { if !isNew { $0.member("deduplicated", true) } }
  }

  // MARK: What they share

  private func policy(of app: DeliveringApp) -> ReplayPolicy {
    let document = configuration.effective(of: app.bundleId).json
    return ReplayPolicy(try? JSONDecoder().decode(JSONTree.self, from: Data(buffer: document)))
  }

  private static func id(_ context: CollectorContext) throws -> String {
    guard let id = context.parameters.get("id"), ReplaySegment.isID(id) else {
      throw ReplaySegment.invalid("segmentId", "32 lower-case hexadecimal digits")
    }
    return id
  }
}
