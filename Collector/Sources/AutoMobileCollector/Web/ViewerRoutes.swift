import HTTPTypes
import Hummingbird

/// `/` and the viewer's other files, from inside the binary.
struct ViewerRoutes: Sendable {
  /// Nothing but the viewer's own files runs, and nobody can frame it. Pictures may be data, for replay frames.
  static let contentSecurityPolicy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """

  let assets = WebAssets.embedded

  func add(to routes: RouteTable) {
    routes.get("/", for: .anyone) { request, _, _ in try file(request) }
    routes.get("/**", for: .anyone) { request, _, _ in try file(request) }
    // The same page: it sees by its address that somebody wants to sign in.
    routes.get(SignInLinks.path, for: .anyone) { request, _, _ in try file(request, "/") }
    routes.head("/", for: .anyone) { request, _, _ in try file(request) }
    routes.head("/**", for: .anyone) { request, _, _ in try file(request) }
  }

  private func file(_ request: Request, _ path: String? = nil) throws -> Response {
    guard let file = assets[path ?? request.uri.path] else {
      // A page of the version before, at the moment of an upgrade: what it is made of has another address now.
      guard let now = assets.successor(of: request.uri.path) else { throw HTTPError(.notFound) }
      return Response(status: .temporaryRedirect, headers: [.location: now, .cacheControl: "no-store"])
    }
    var headers: HTTPFields = [
      // Others are asked for again each time, and sent again only when they changed.
      .cacheControl: file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      .contentSecurityPolicy: Self.contentSecurityPolicy,
      .xFrameOptions: "DENY",
      .crossOriginResourcePolicy: "same-origin",
    ]
    headers[.referrerPolicy] = "no-referrer"
    return file.response(to: request, headers)
  }
}

extension WebAssets.File {
  /// The file, as gzip for who takes that; 304 for who has it.
  func response(to request: Request, _ more: HTTPFields) -> Response {
    var headers = more
    headers[.contentType] = mediaType
    headers[.eTag] = entityTag
    let known = request.headers[.ifNoneMatch] ?? ""
    if known.split(separator: ",").contains(where: { $0.filter { $0 != " " } == entityTag }) {
      return Response(status: .notModified, headers: headers)
    }
    headers[.vary] = "Accept-Encoding"
    guard let compressed, request.headers[.acceptEncoding]?.contains("gzip") == true else {
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }
    headers[.contentEncoding] = "gzip"
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: compressed))
  }
}
