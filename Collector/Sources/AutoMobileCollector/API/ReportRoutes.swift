import HTTPTypes
import Hummingbird
import NIOCore

/// `/api/events/ID/report`: a crash, a hang or a failure, symbolicated; as JSON, as text and in Apple's form.
struct ReportRoutes: Sendable {
  let reports: ReportQuery
  let issues: any IssueReading

  func add(to routes: RouteTable) {
    routes.get("/api/events/{id}/report", for: .reader) { _, context, scope in try await json(scope, context) }
    routes.get("/api/events/{id}/report.txt", for: .reader) { _, context, scope in
      let loaded = try await load(scope, context)
      return Self.file(
        TextExport.text(of: loaded.event, loaded.context), "text/plain; charset=utf-8", "report-\(loaded.row.id).txt")
    }
    routes.get("/api/events/{id}/report.ips", for: .reader) { _, context, scope in
      let loaded = try await load(scope, context)
      return Self.file(
        IPSExport.text(of: loaded.event, loaded.context), "application/octet-stream", "report-\(loaded.row.id).ips")
    }
  }

  private func load(_ scope: ReadScope, _ context: CollectorContext) async throws -> ReportQuery.Loaded {
    try await reports.load(scope, context.event)
  }

  private func json(_ scope: ReadScope, _ context: CollectorContext) async throws -> Response {
    let loaded = try await load(scope, context)
    let issue = try await issues.name(scope, ofEvent: loaded.row.id)
    let event = loaded.event
    var json = JSONOutput()
    json.object {
      $0.member("event", loaded.row.id)
      $0.member("eventType", loaded.row.eventType)
      $0.member("timestamp", loaded.row.timestamp)
      $0.member("sessionId", loaded.row.sessionId)
      $0.member("launchId", loaded.row.launchId)
      $0.member("issue", issue)
      $0.member("kind", event.kind.rawValue)
      $0.member("cause", event.cause)
      $0.member("errorDomain", event.errorDomain)
      $0.member("message", IssueText.message(of: event))
      $0.member("screen", event.screen)
      $0.member("bundleId", event.bundleId)
      $0.member("appVersion", event.appVersion)
      $0.object("device") {
        $0.member("model", event.deviceModel)
        $0.member("systemName", event.systemName)
        $0.member("osVersion", event.osVersion)
      }
      $0.member("context", json: loaded.row.context)
      $0.name("report")
      event.report.write(to: &$0)
      $0.object("symbols") {
        $0.member("problem", reports.symbolizer.problem)
        $0.array("missing") {
          for image in reports.symbolizer.missing(event.report) {
            $0.object {
              $0.member("name", image.name)
              $0.member("uuid", image.id?.text)
              $0.member("architecture", image.architecture ?? event.report.architecture)
            }
          }
        }
      }
      $0.array("before") { for row in loaded.before { row.write(to: &$0) } }
    }
    return json.response()
  }

  private static func file(_ text: String, _ type: String, _ name: String) -> Response {
    var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
    headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
