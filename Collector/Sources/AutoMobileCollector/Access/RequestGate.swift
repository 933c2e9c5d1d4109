import HTTPTypes
import Hummingbird

/// What every request passes before anything else looks at it: its target has one spelling, and it is meant for this host.
struct RequestGate: RouterMiddleware {
  typealias Context = CollectorContext

  /// Host names by which the collector may be addressed; nil: any (it is guarded by keys then). A page whose host name is
  /// made to point here (DNS rebinding) is told apart by them.
  let hosts: Set<String>?

  func handle(
    _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
  ) async throws -> Response {
    try RequestTarget.check(request.head.path ?? "")
    try checkHost(request)
    return try await next(request, context)
  }

  private func checkHost(_ request: Request) throws {
    guard let hosts else { return }
    guard let authority = request.head.authority.flatMap({ Authority($0) }), hosts.contains(authority.host) else {
      throw APIError(
        .misdirectedRequest, "wrong_host", "this collector answers on \(hosts.sorted().joined(separator: ", ")) only")
    }
  }
}
