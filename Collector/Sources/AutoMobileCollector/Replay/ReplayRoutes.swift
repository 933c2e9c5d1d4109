import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/sessions/{id}/replays` and `/api/replays/…`: what the player reads.
struct ReplayRoutes: Sendable {
  let replays: any ReplayReading
  let packs: ReplayPacks

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/replays", for: .reader) { _, context, scope in
      let found = try await replays.replays(scope, of: context.sessionId)
      var json = JSONOutput()
      json.object { $0.array("replays") { for replay in found { replay.write(to: &$0) } } }
      return json.response()
    }
    routes.get("/api/replays/{id}", for: .reader) { _, context, scope in
      guard let replay = try await replays.replay(scope, context.sessionId) else {
        throw APIError(.notFound, "no_replay", "no replay with this id")
      }
      var json = JSONOutput()
      replay.write(to: &json)
      return json.response()
    }
    routes.get("/api/replays/{id}/segments/{segment}", for: .reader) { request, context, scope in
      try await segment(scope, request, context)
    }
  }

  /// The frames or lines of a segment; with `?parts=N`, of its first N parts, which never change.
  private func segment(
    _ scope: ReadScope, _ request: Request, _ context: CollectorContext
  ) async throws -> Response {
    guard let name = context.parameters.get("segment"), ReplaySegment.isID(name),
      let (all, kind) = try await replays.places(scope, name, of: context.sessionId)
    else { throw APIError(.notFound, "no_segment", "the replay has no segment with this id") }
    let wanted = request.uri.queryParameters.get("parts", as: Int.self)
    let places = Array(all.prefix(max(wanted ?? all.count, 1)))
    let isWhole = places.count == wanted || kind != ReplaySegment.Kind.screenshots.rawValue
    let tag = places.count == 1 ? "\"\(name)\"" : "\"\(name)-\(places.count)\""
    var headers: HTTPFields = [
      .contentType: ReplaySegment.Kind(rawValue: kind)?.mediaType ?? "application/octet-stream", .eTag: tag,
      .cacheControl: isWhole ? "private, max-age=31536000, immutable" : "private, no-cache",
    ]
    if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: headers) }
    var found = try await content(places)
    if found == nil, let (now, _) = try await replays.places(scope, name, of: context.sessionId) {
      // Something of it was moved to another pack in between.
      found = try await content(Array(now.prefix(places.count)))
    }
    guard let body = found else {
      throw APIError(.internalServerError, "damaged", "the segment's file is missing or damaged")
    }
    if places.count == 1 { headers[.contentEncoding] = "gzip" }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// One body as it is; of several, what is in them, one after the other: browsers stop after the first gzip member. Nil when
  /// one is missing or damaged.
  ///
  /// - Throws: ``BlobError`` when they cannot be had at this moment.
  private func content(_ places: [ReplayPacks.Place]) async throws -> ByteBuffer? {
    do {
      guard places.count > 1 else {
        guard let place = places.first else { return nil }
        return try await packs.read(place)
      }
      var whole = ByteBuffer()
      for place in places {
        let body = try await packs.read(place)
        whole.writeImmutableBuffer(
          try await offLoop { try Inflater.gunzip(body, limit: CollectorLimits().decompressedBytes) })
      }
      return whole
    } catch let error as BlobError {
      if error.answer != nil { throw error }
      return nil
    } catch is Inflater.Failure {
      return nil
    }
  }
}
