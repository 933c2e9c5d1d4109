import HTTPTypes
import Hummingbird

/// `/api/sessions/{id}/trace`: a session in the Trace Event Format.
struct TraceExportRoute: Sendable {
  let outgoing: any OutgoingReading
  let symbolizer: Symbolizer
  let maximumDepth: Int

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/trace", for: .reader) { _, context, scope in try await file(scope, context.sessionId)
    }
  }

  private func file(_ scope: ReadScope, _ id: String) async throws -> Response {
    let session = try await outgoing.session(scope, id, spans: nil)
    let body = ResponseBody { writer in
      try await TraceExport(outgoing: outgoing, symbolizer: symbolizer, maximumDepth: maximumDepth)
        .write(scope, session) { try await writer.write($0) }
      try await writer.finish(nil)
    }
    let short = ShortName.of(id)
    var headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
    headers[.contentDisposition] = "attachment; filename=\"session-\(short).trace.json\""
    return Response(status: .ok, headers: headers, body: body)
  }
}
