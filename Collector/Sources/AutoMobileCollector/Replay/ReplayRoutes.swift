import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/sessions/{id}/replays` and `/api/replays/…`: what the player reads.
struct ReplayRoutes: Sendable {
  let replays: ReplayQuery
  let packs: ReplayPacks

  func add(to router: Router<CollectorContext>) {
    router.get("/api/sessions/{id}/replays") { _, context in
      try await replays.replays(of: context.sessionId).response()
    }
    router.get("/api/replays/{id}") { _, context in
      guard let replay = try await replays.replay(context.sessionId) else {
        throw APIError(.notFound, "no_replay", "there is no replay of this name")
      }
      return replay.response()
    }
    router.get("/api/replays/{id}/segments/{segment}") { request, context in try await segment(request, context) }
  }

  private func segment(_ request: Request, _ context: CollectorContext) async throws -> Response {
    guard let name = context.parameters.get("segment"), ReplaySegment.isID(name),
      let (place, kind) = try await replays.place(name, of: context.sessionId)
    else { throw APIError(.notFound, "no_segment", "the replay has no segment of this name") }
    var headers: HTTPFields = [
      .contentType: ReplaySegment.Kind(rawValue: kind)?.mediaType ?? "application/octet-stream",
      // What has this name never changes.
      .eTag: "\"\(name)\"", .cacheControl: "private, max-age=31536000, immutable",
    ]
    if request.headers[.ifNoneMatch] == "\"\(name)\"" { return Response(status: .notModified, headers: headers) }
    var found = try await ReplayStore.offLoop { [packs] in packs.read(place) }
    if found == nil, let (now, _) = try await replays.place(name, of: context.sessionId), now != place {
      // It was moved to another pack in between.
      found = try await ReplayStore.offLoop { [packs] in packs.read(now) }
    }
    guard let body = found else {
      throw APIError(.internalServerError, "damaged", "the segment's file is gone, or damaged")
    }
    headers[.contentEncoding] = "gzip"
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
  }
}
