import HTTPTypes
import Hummingbird

/// What trusted proxies say of a request is made its own, and what others say is taken away, before anything looks at it: whatever
/// of these headers is left behind this is believed.
struct ProxyHeaders: RouterMiddleware {
  typealias Context = CollectorContext

  let proxies: TrustedProxies

  func handle(
    _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
  ) async throws -> Response {
    guard !context.isBeside else { return try await next(request, context) }
    var context = context
    let fields = request.headers
    var head = request.head
    for name in Self.names { head.headerFields[name] = nil }
    if let peer = context.remoteAddress.flatMap({ EgressAddress($0) }) {
      let isTrusted = proxies.trusts(peer)
      context.remoteAddress = (isTrusted ? Self.client(fields, behind: peer, proxies) : peer).text
      if isTrusted, let scheme = Self.scheme(fields[values: .xForwardedProto]) {
        head.headerFields[.xForwardedProto] = scheme
      }
    }
    let isTold = Self.names.contains { fields[$0] != nil }
    return try await next(isTold ? Request(head: head, body: request.body) : request, context)
  }

  private static let names: [HTTPField.Name] = [.xForwardedFor, .forwarded, .xForwardedProto]

  /// When there are both headers and they do not lead to the same, a proxy may pass on what a stranger wrote in the one that it
  /// does not know: then it is the proxy. One that is there counts, whatever is in it: else a stranger could make the proxy's word
  /// unreadable, and their own the only one.
  static func client(_ fields: HTTPFields, behind peer: EgressAddress, _ proxies: TrustedProxies) -> EgressAddress {
    let told = [
      ForwardedHops.list(fields[values: .xForwardedFor]), ForwardedHops.forwarded(fields[values: .forwarded]),
    ]
    let found = told.compactMap { $0 }.map { ForwardedHops.client($0, behind: peer, proxies) }
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return peer }
    return first
  }

  /// What the last proxy says; nil when it is neither `http` nor `https`.
  static func scheme(_ fields: [String]) -> String? {
    let last = fields.last?.split(separator: ",").last?.lowercased().filter { $0 != " " && $0 != "\t" }
    return last == "http" || last == "https" ? last : nil
  }
}
