import Hummingbird

/// `/api/sessions/{id}/outline`: a session laid out; and those of its events that are looked at.
struct OutlineRoutes: Sendable {
  let events: any EventReading

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/outline", for: .reader) { request, context, scope in
      try await outline(scope, context.sessionId, request)
    }
  }

  private func outline(_ scope: ReadScope, _ session: String, _ request: Request) async throws -> Response {
    let newer = try request.parameter("newer").map { text in
      guard let id = Int64(text) else {
        throw APIError.badRequest("invalid_newer", "newer must be the number of an event")
      }
      return id
    }
    let query = try SearchQuery(request.parameter("q") ?? "", in: .events)
    guard let columns = try await events.outline(scope, of: session, newer: newer, query: query) else {
      throw APIError(.notFound, "no_session", "no session with this id")
    }
    if request.headers[.accept] == OutlineColumns.packedType {
      return Response(
        status: .ok, headers: [.contentType: OutlineColumns.packedType, .cacheControl: "no-store", .vary: "Accept"],
        body: ResponseBody(byteBuffer: columns.packed))
    }
    var json = JSONOutput()
    columns.write(to: &json, query)
    return json.response()
  }

  /// The numbers in a request's `ids`, with commas; nil when there are none.
  static func ids(_ request: Request) throws -> [Int64]? {
    guard let text = request.parameter("ids") else { return nil }
    let parts = text.split(separator: ",")
    let ids = parts.compactMap { Int64($0) }
    guard ids.count == parts.count, (1...1000).contains(ids.count) else {
      throw APIError.badRequest("invalid_ids", "ids must be up to 1000 event numbers, separated by commas")
    }
    return ids
  }
}
