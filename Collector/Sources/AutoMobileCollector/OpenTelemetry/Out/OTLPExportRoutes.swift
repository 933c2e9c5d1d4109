import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/sessions/{id}/otlp/logs` and `/traces`: a session in OpenTelemetry's words.
struct OTLPExportRoutes: Sendable {
  let outgoing: any OutgoingReading
  let maximumDepth: Int

  func add(to routes: RouteTable) {
    routes.get("/api/sessions/{id}/otlp/logs", for: .reader) { request, context, scope in
      try await file(scope, context.sessionId, spans: false, request)
    }
    routes.get("/api/sessions/{id}/otlp/traces", for: .reader) { request, context, scope in
      try await file(scope, context.sessionId, spans: true, request)
    }
  }

  private func file(_ scope: ReadScope, _ id: String, spans: Bool, _ request: Request) async throws -> Response {
    let name = request.parameter("format") ?? OTLPFormat.json.rawValue
    guard let format = OTLPFormat(rawValue: name) else {
      throw APIError.badRequest("invalid_format", "format must be \"json\" or \"protobuf\"")
    }
    let session = try await outgoing.session(scope, id, spans: spans)
    let body = ResponseBody { writer in
      try await SessionExport(outgoing: outgoing, format: format, maximumDepth: maximumDepth)
        .write(scope, session) { try await writer.write($0) }
      try await writer.finish(nil)
    }
    let short = ShortName.of(id)
    let ending = "\(spans ? "traces" : "logs").\(format == .json ? "jsonl" : "pb")"
    var headers: HTTPFields = [
      .contentType: format == .json ? "application/jsonl; charset=utf-8" : format.mediaType, .cacheControl: "no-store",
    ]
    headers[.contentDisposition] = "attachment; filename=\"session-\(short).\(ending)\""
    return Response(status: .ok, headers: headers, body: body)
  }
}
