import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// `/mcp`: what agents ask, over HTTP (Model Context Protocol, *Streamable HTTP*).
///
/// Each message is a request of its own and each answer a single JSON object; there are no sessions and no streams, in any
/// revision. The key that a request presents is what its tools have.
struct MCPRoutes: Sendable {
  let router: RouterHandle
  let bodies: SmallBodies
  let hasCommands: Bool
  let logger: Logger

  /// The longest message, in bytes.
  static let longest = 128 << 10

  func add(to routes: RouteTable) {
    routes.post("/mcp", for: .reader) { request, context, _ in try await answer(request, context) }
    routes.get("/mcp", for: .reader) { _, _, _ in Self.notAllowed }
    routes.delete("/mcp", for: .reader) { _, _, _ in Self.notAllowed }
  }

  private func answer(_ request: Request, _ context: CollectorContext) async throws -> Response {
    guard Self.takesJSON(request) else {
      throw APIError(
        .notAcceptable, "not_acceptable", "the answer is JSON: send Accept: application/json, text/event-stream")
    }
    let body = try await bodies.bytes(request)
    let server = MCPServer(
      questions: RoutedQuestions(router: router, asking: (request, context), logger: logger),
      viewer: request.head.authority.flatMap { ViewerAddress("http://" + $0) }, hasCommands: hasCommands)
    let reply = await server.answer(
      body,
      .init(
        headers: MCPHeaders(
          version: request.headers[.mcpProtocolVersion], method: request.headers[.mcpMethod],
          name: request.headers[.mcpName])))
    var headers: HTTPFields = [.cacheControl: "no-store"]
    guard let body = reply.body else { return Response(status: .accepted, headers: headers) }
    headers[.contentType] = "application/json"
    return Response(status: .init(code: reply.status), headers: headers, body: ResponseBody(byteBuffer: body))
  }

  /// A client that does not say takes what it gets.
  private static func takesJSON(_ request: Request) -> Bool {
    let accept = request.headers[values: .accept].joined(separator: ",").lowercased()
    return accept.isEmpty
      || accept.split(separator: ",").contains { part in
        let type = part.prefix { $0 != ";" }.filter { $0 != " " }
        return ["application/json", "application/*", "*/*"].contains(type)
      }
  }

  /// There is no stream to listen to, and no session to end.
  private static var notAllowed: Response {
    var response = APIError(.methodNotAllowed, "method_not_allowed", "send messages with POST: there are no sessions")
      .response
    response.headers[.allow] = "POST"
    return response
  }
}
