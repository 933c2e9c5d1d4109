import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/sessions/{id}/file` and `/api/import`: a session as one file, and back.
struct TransferRoutes: Sendable {
  let writer: SessionFileWriter
  let reader: SessionFileReader

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/file", for: .reader) { _, context, scope in
      try await file(scope, context.sessionId)
    }
    routes.post("/api/import", for: .operator) { request, _, _ in
      // A type that no web page can send without asking first.
      guard
        request.headers[.contentType].map({ [SessionFile.mediaType, "application/octet-stream"].contains($0) }) == true
      else {
        throw APIError(
          .unsupportedMediaType, "unsupported_media_type", "send the file as Content-Type \(SessionFile.mediaType)")
      }
      let result = try await reader.read(request.body)
      return JSONOutput.ok {
        $0.member("sessionId", result.sessionId)
        $0.member("events", Int64(result.events))
        $0.member("segments", Int64(result.segments))
      }
    }
  }

  private func file(_ scope: ReadScope, _ session: String) async throws -> Response {
    guard try await writer.sessions.exists(scope, session) else {
      throw APIError(.notFound, "no_session", "no session with this id")
    }
    try await writer.check(scope, session)
    let body = ResponseBody { [writer] body in
      try await writer.write(scope, session) { try await body.write($0) }
      try await body.finish(nil)
    }
    let name = ShortName.of(session)
    var headers: HTTPFields = [.contentType: SessionFile.mediaType, .cacheControl: "no-store"]
    headers[.contentDisposition] = "attachment; filename=\"session-\(name).automobile\""
    return Response(status: .ok, headers: headers, body: body)
  }
}
