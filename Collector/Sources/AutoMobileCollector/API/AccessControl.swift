import Foundation
import HTTPTypes
import Hummingbird

/// Who may talk to the collector.
///
/// On loopback everybody on this machine may, but web pages must not: a page whose host name is made to point here (DNS
/// rebinding) is told apart by `Host`, one that sends blindly by `Origin` and `Sec-Fetch-Site`. There is no CORS, so no
/// page of another origin can read an answer. With keys, everything that holds or takes data asks for one.
///
/// An ingest key is no secret for long: it is inside of every copy of an app. So the keys of projects deliver and read
/// nothing, and what changes how apps behave (configuration, commands), what is read by other programs (symbols), who gets
/// in (projects, keys) and what is kept asks for an operator's key as soon as other machines can get here.
struct AccessControl: RouterMiddleware {
  typealias Context = CollectorContext

  /// Those that it was started with: they deliver and read.
  let keys: [IngestKey]
  /// Good for everything.
  let operatorKeys: [IngestKey]
  /// Those that operators made later.
  let projects: ProjectStore
  let tokens: UploadTokens
  /// Host names by which the collector may be addressed; nil: any (it is guarded by keys then).
  let hosts: Set<String>?

  func handle(
    _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
  ) async throws -> Response {
    try checkHost(request)
    try checkOrigin(request)
    var context = context
    let now = WallClock.now
    context.key = Self.presented(request).flatMap { projects.key($0, at: now) }
    let isDelivery = Self.isDelivery(request.uri.path)
    if isDelivery, let token = Self.presented(request), token.hasPrefix(UploadTokens.prefix) {
      try checkToken(token, &context, at: now)
    } else if Self.isForOperators(request) {
      try checkOperator(request, context.key)
    } else if asksForKeys, Self.isGuarded(request.uri.path) {
      if let key = context.key {
        guard isDelivery || key.role != .ingest else {
          throw APIError(
            .forbidden, "ingest_only", "the key of a project delivers events; reading asks for a viewer's key")
        }
      } else {
        try checkKey(request, keys + operatorKeys)
      }
    }
    return try await next(request, context)
  }

  /// Other machines can get here, or it was started with a key.
  private var asksForKeys: Bool { !keys.isEmpty || hosts == nil }

  private func checkHost(_ request: Request) throws {
    guard let hosts else { return }
    guard let authority = request.head.authority.flatMap({ Authority($0) }), hosts.contains(authority.host) else {
      throw APIError(
        .misdirectedRequest, "wrong_host", "this collector answers on \(hosts.sorted().joined(separator: ", ")) only")
    }
  }

  private func checkOrigin(_ request: Request) throws {
    let site = request.headers[.secFetchSite]
    if site == "cross-site" || site == "same-site" {
      // Following a link to the viewer is fine.
      if request.method == .get, request.headers[.secFetchMode] == "navigate" { return }
      throw APIError(.forbidden, "foreign_origin", "web pages of other origins may not use the collector")
    }
    guard let origin = request.headers[.origin] else { return }
    guard let slashes = origin.range(of: "://"), let authority = request.head.authority,
      origin[slashes.upperBound...] == authority
    else { throw APIError(.forbidden, "foreign_origin", "web pages of other origins may not use the collector") }
  }

  private func checkOperator(_ request: Request, _ key: AccessKey?) throws {
    if key?.role == .operator { return }
    if !operatorKeys.isEmpty { return try checkKey(request, operatorKeys, name: "operator") }
    guard hosts != nil else {
      throw APIError(
        .forbidden, "no_operator_key",
        "this collector can be reached from other machines, so changing anything needs an operator's key: "
          + "start it with --operator-key")
    }
    if !keys.isEmpty { try checkKey(request, keys) }
  }

  /// A token is good as long as the key that it was given out for.
  private func checkToken(_ token: String, _ context: inout CollectorContext, at now: Int64) throws {
    guard let claim = tokens.claim(token, at: now), claim.key.map({ projects.isGood(key: $0, at: now) }) ?? true else {
      throw APIError(.unauthorized, "token_expired", "the upload token is not good any more: ask for another one")
    }
    context.upload = claim
  }

  private func checkKey(_ request: Request, _ keys: [IngestKey], name: String = "ingest") throws {
    guard let presented = Self.presented(request) else {
      throw APIError(
        .unauthorized, "key_required", "send the \(name) key as \"Authorization: Bearer KEY\" or \"X-API-Key: KEY\"")
    }
    // All are compared, so that the time says nothing about which one was close.
    let isKnown = keys.reduce(false) { $1.matches(presented) || $0 }
    guard isKnown else { throw APIError(.unauthorized, "wrong_key", "the \(name) key is not known") }
  }

  private static func presented(_ request: Request) -> String? {
    let bearer = request.headers[.authorization].flatMap { field -> Substring? in
      field.lowercased().hasPrefix("bearer ") ? field.dropFirst(7) : nil
    }
    return bearer.map(String.init) ?? request.headers[.xAPIKey] ?? request.headers[.xPublicKey]
  }

  /// The page itself, and whether the collector lives, are no secret.
  private static func isGuarded(_ path: String) -> Bool {
    path.hasPrefix("/api") || path.hasPrefix("/sdk-") || path.hasPrefix("/metrics")
  }

  private static func isForOperators(_ request: Request) -> Bool {
    let path = request.uri.path
    // Whatever changes something. Apps deliver elsewhere, and searches are saved by whoever looks.
    return request.method != .get && request.method != .head && path.hasPrefix("/api") && !isDelivery(path)
      && path != "/api/searches" && !path.hasPrefix("/api/searches/")
  }

  /// Where apps deliver, and ask what they may record.
  private static func isDelivery(_ path: String) -> Bool {
    path.hasPrefix("/sdk-") || path.hasPrefix("/api/ingest/") || path == "/api/sdk/config"
  }
}

/// A secret that is compared in a time that depends on nothing but lengths.
struct IngestKey: Sendable {
  private let bytes: [UInt8]

  init(_ key: String) { bytes = Array(key.utf8) }

  func matches(_ other: String) -> Bool {
    let other = Array(other.utf8)
    var difference = UInt64(bitPattern: Int64(bytes.count ^ other.count))
    for index in bytes.indices {
      let byte = index < other.count ? other[index] : 0
      difference |= UInt64(bytes[index] ^ byte)
    }
    return difference == 0
  }
}
