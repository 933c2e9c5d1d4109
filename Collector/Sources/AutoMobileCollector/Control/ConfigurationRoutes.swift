import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /sdk-config` for apps, `/api/config/…` for whoever decides what they do; looking at it is beside (``ConfigurationReadingRoutes``).
struct ConfigurationRoutes: Sendable {
  let store: ConfigurationStore
  let asks: Asks
  let held: HeldQuestions
  private let reading: ConfigurationReadingRoutes
  let bodies: SmallBodies

  init(
    store: ConfigurationStore, asks: Asks, held: HeldQuestions, dryRuns: any DryRunReading, limits: CollectorLimits
  ) {
    (self.store, self.asks, self.held) = (store, asks, held)
    bodies = SmallBodies(limits, bytes: ConfigurationRules.maximumSize)
    reading = ConfigurationReadingRoutes(store: store, dryRuns: dryRuns, bodies: bodies)
  }

  func add(to routes: RouteTable) {
    reading.add(to: routes)
    routes.get("/sdk-config", for: .ingest) { request, _, scope in try tell(request, scope) }
    routes.put("/api/config/{bundle}", for: .projectOperator) { request, context, scope in
      try await put(request, try context.bundle(scope.reading), context)
    }
  }

  /// The document that holds for an app, with what is asked of it; 304 when it has it already.
  private func tell(_ request: Request, _ scope: AppScope) throws -> Response {
    let asker = Asker(request)
    let app = try scope.app(request.parameter("bundleId"))
    let (effective, asked) = asks.effective(of: app, asker: asker)
    asks.noteTold(asked)
    let tag = "\"\(effective.tag)\""
    var headers: HTTPFields = [
      .eTag: tag, .cacheControl: "no-store", .contentType: "application/json; charset=utf-8",
    ]
    headers[.xAutoMobileConfig] = effective.tag
    if asker != nil { headers[.xAutoMobileListen] = held.offer(to: app.owner) }
    if request.headers[.ifNoneMatch]?.split(separator: ",").contains(where: { Self.matches($0, tag) }) == true {
      return Response(status: .notModified, headers: headers)
    }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: effective.json))
  }

  private static func matches(_ candidate: Substring, _ tag: String) -> Bool {
    let candidate = candidate.trimmingPrefix { $0 == " " }
    return candidate == tag || candidate == "W/" + tag
  }

  private func put(_ request: Request, _ bundle: String, _ context: CollectorContext) async throws -> Response {
    var sections = try await bodies.json(request, maximumDepth: ConfigurationRules.maximumDepth)
    // Whoever sends back what was shown may leave its version in: then nothing newer is overwritten.
    var expected: Int64?
    if case .object(var members) = sections {
      if let version = members.removeValue(forKey: "version") {
        guard let number = version.integer else {
          throw APIError.badRequest("invalid_configuration", "version must be the number of the version that was read")
        }
        expected = number
      }
      members["issuer"] = nil
      sections = .object(members)
    }
    let document = try await store.put(sections, for: bundle, expected: expected, by: context.author(request))
    return reading.answer(document)
  }
}
